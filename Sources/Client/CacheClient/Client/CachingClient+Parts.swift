import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// The form in which a part is to be stored.
    enum Joined {
        case entry(CacheEntry)
        /// The stored entry has it already, and gets new metadata.
        case metadata(StoredResponse, CacheEntry)
        case nothing
    }

    /// Stores the received part of an interrupted response, as far as RFC 9111 §3.3 allows.
    ///
    /// No hook is asked about it: if a hook decides what is stored, nothing is.
    func keepIncomplete(_ pending: PendingResponse, _ body: StoredBody) {
        guard let store, configuration.willCache == nil, pending.ranges == nil, !pending.isInvalidated,
            let part = incomplete(pending.stored, received: body.count)
        else { return }
        var entry = CacheEntry(stored: part, body: body)
        entry.version = pending.version
        let isPrefix = pending.stored.parts == nil
        switch joined(entry, of: pending, isPrefix: isPrefix, in: store) {
        case .entry(var entry):
            guard store.admits(entry) else { return }
            stamp(&entry)
            if case .refused(.failed(let error)) = store.put(entry, watchedBy: pending.watch) {
                report(error, storing: entry.stored)
            }
        case .metadata, .nothing: break
        }
    }

    /// Returns the received response as it is to be stored; `nil` if its content does not match its ranges.
    func entry(_ pending: PendingResponse, _ body: StoredBody) -> CacheEntry? {
        guard let (stored, body) = separated(pending, body) else { return nil }
        var entry = CacheEntry(stored: stored, body: body)
        entry.version = pending.version
        return entry
    }

    private func separated(_ pending: PendingResponse, _ body: StoredBody) -> (StoredResponse, StoredBody)? {
        guard let ranges = pending.ranges else { return (pending.stored, body) }
        guard body.count <= SeparatedRanges.largest, let content = try? body.readAll(),
            let (stored, parts) = configuration.engine.separated(pending.stored, ranges, content: content)
        else { return nil }
        var bytes: [UInt8] = []
        for part in parts { bytes += content[part.offset..<(part.offset + Int(part.range.count))] }
        return (stored, .bytes(bytes))
    }

    /// Joins a part with the entry that is now stored for its key and variant.
    func joined(
        _ entry: CacheEntry,
        of pending: PendingResponse,
        isPrefix: Bool = false,
        in store: any ResponseStore
    ) -> Joined {
        let current = store.ownEntry(for: entry.stored.key, entry.stored.variant)
        let place = pending.place(with: current?.stored)
        switch place.joining(entry.stored, isPrefix: isPrefix, by: decisions ?? configuration.engine) {
        case .keep: return .nothing
        case .replace(let stored):
            var entry = entry
            entry.stored = stored
            return .entry(entry)
        case .freshen(let stored): return current.map { .metadata(stored, $0) } ?? .nothing
        case .combine(let stored):
            return current.map { combined($0, entry, as: stored, in: store) } ?? .nothing
        }
    }

    private func combined(
        _ old: CacheEntry,
        _ new: CacheEntry,
        as stored: StoredResponse,
        in store: any ResponseStore
    ) -> Joined {
        do throws(StorageError) {
            guard let body = try store.joined(old, new) else { return alone(new, insteadOf: stored) }
            var entry = old
            entry.stored = stored
            entry.body = body
            return .entry(entry)
        } catch {
            report(error, storing: stored)
            return alone(new, insteadOf: stored)
        }
    }

    /// Returns the newer of two parts that cannot be combined into `union`, on its own; nothing if it may not be stored so.
    private func alone(_ new: CacheEntry, insteadOf union: StoredResponse) -> Joined {
        let decisions: any CacheDecisions = decisions ?? configuration.engine
        guard case .replace(let stored) = decisions.joining(new.stored, to: nil, isPrefix: false) else {
            return .nothing
        }
        var entry = new
        entry.stored = union.isInvalidated ? stored.invalidated() : stored
        return .entry(entry)
    }
}
