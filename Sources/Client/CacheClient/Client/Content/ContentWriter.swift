import CacheSemantics
import CacheStorage
import HTTPTypes
import Locks

/// A writer that stores the content of one answer as it arrives: all of it at its end, or the received part if it is
/// interrupted.
///
/// Only one task may append at a time; storing may be abandoned at any time. Requests that wait for the content are
/// informed when it will not be stored, and then send their own.
final class ContentWriter: Sendable {
    private let answer: TransactionResult
    private let load: Load
    /// `nil` once it has ended.
    private let spool: Lock<BoundedSpool?>

    /// Creates a writer; `nil` if nothing is to be stored.
    ///
    /// If that is because the content is too large, the response that was to be replaced is removed.
    init?(_ answer: TransactionResult, _ load: Load) {
        let client = load.client
        let length = answer.arriving ?? Self.announcedLength(answer)
        guard let store = client.store, answer.exchange != nil, let pending = answer.pending else {
            return nil
        }
        guard length ?? 0 <= store.largestEntry else {
            Self.removeReplaced(by: pending, in: store)
            return nil
        }
        self.answer = answer
        self.load = load
        spool = Lock(
            BoundedSpool(
                store.spool(expectedSize: length.map(ByteCount.bytes)),
                clock: client.clock,
                held: client.spooled
            )
        )
    }

    /// Whether the content may still be stored.
    var isOpen: Bool { current != nil }

    private var current: BoundedSpool? { spool.withLock { $0 } }

    /// Sets what is called, repeatedly, when much is in memory and nothing has been appended for a while.
    func onStall(_ action: @escaping @Sendable () -> Void) { current?.onStall(action) }

    /// Appends a piece; stops storing if that fails, if the content is too large, or if too much is in memory.
    func append(_ piece: [UInt8]) {
        guard let spool = current else { return }
        guard spool.hasRoom(for: piece.count, largest: load.client.store?.largestEntry ?? 0) else {
            return giveUp()
        }
        do throws(StorageError) {
            try spool.append(piece)
        } catch {
            if let spool = take() { discard(spool, after: error) }
            answer.leader?.end(.refused)
        }
    }

    /// Stops storing, and removes the response that was to be replaced: the origin has replaced it nevertheless.
    func giveUp() {
        guard let spool = take() else { return }
        spool.discard()
        if let pending = answer.pending, let store = load.client.store {
            Self.removeReplaced(by: pending, in: store)
        }
        answer.leader?.end(.refused)
    }

    /// Removes the response that one that is not stored was to replace.
    ///
    /// A part replaces nothing: the stored parts stay valid without it.
    private static func removeReplaced(by pending: PendingResponse, in store: any ResponseStore) {
        guard pending.stored.parts == nil else { return }
        store.remove(pending.stored.key, pending.stored.variant)
    }

    /// Stops storing, and discards what has arrived.
    func discard() { take()?.discard() }

    /// Stores the whole content.
    nonisolated(nonsending) func finish() async {
        guard let spool = take(), let pending = answer.pending else { return }
        do throws(StorageError) {
            let body = try spool.finish()
            let isStored = await load.client.keep(pending, body, load.observer?.proposal)
            answer.leader?.end(.arrived(body, isStored: isStored))
        } catch {
            discard(spool, after: error)
            answer.leader?.end(.refused)
        }
    }

    /// Stores the received part of interrupted content.
    func finishIncomplete() {
        guard let spool = take(), let pending = answer.pending else { return }
        guard spool.count > 0 else { return spool.discard() }
        do throws(StorageError) {
            load.client.keepIncomplete(pending, try spool.finish())
        } catch {
            discard(spool, after: error)
        }
    }

    /// Discards content that could not be written, and reports that.
    private func discard(_ spool: BoundedSpool, after error: StorageError) {
        spool.discard()
        if let stored = answer.pending?.stored { load.client.report(error, storing: stored) }
    }

    private func take() -> BoundedSpool? {
        spool.withLock { spool in
            defer { spool = nil }
            return spool
        }
    }

    private static func announcedLength(_ answer: TransactionResult) -> Int? {
        answer.response.headerFields[.contentLength].flatMap { Int($0) }
    }
}
