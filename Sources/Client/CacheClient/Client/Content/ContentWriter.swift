import CacheSemantics
import CacheStorage
import HTTPTypes
import Locks

/// Stores the content of one answer as it comes: whole at its end, and what there is of it where it breaks off.
///
/// For one writer at a time; it may be given up at any moment. Whoever waits for the content is told when nothing is
/// stored any more, and then asks for itself.
final class ContentWriter: Sendable {
    private let answer: HopAnswer
    private let load: Load
    /// `nil` when it is over.
    private let spool: Lock<BoundedSpool?>

    /// `nil` where nothing is to be stored.
    init?(_ answer: HopAnswer, _ load: Load) {
        let client = load.client
        let length = answer.arriving ?? Self.announcedLength(answer)
        guard let store = client.store, answer.exchange != nil, answer.pending != nil,
            length ?? 0 <= store.largestEntry
        else { return nil }
        self.answer = answer
        self.load = load
        spool = Lock(
            BoundedSpool(store.spool(expectedSize: length), clock: client.clock, held: client.spooled)
        )
    }

    /// Whether the content may still be stored.
    var isOpen: Bool { current != nil }

    private var current: BoundedSpool? { spool.withLock { $0 } }

    /// Sets what is called when much is in memory and nothing was appended for a while, again and again.
    func onStall(_ action: @escaping @Sendable () -> Void) { current?.onStall(action) }

    /// Appends a piece; stores nothing where that fails, or where the content is too large, or one too many in memory.
    func append(_ piece: [UInt8]) {
        guard let spool = current else { return }
        guard spool.hasRoom(for: piece.count, largest: load.client.store?.largestEntry ?? 0) else {
            return giveUp()
        }
        do throws(StorageError) {
            try spool.append(piece)
        } catch {
            discard()
            answer.departure?.end(.refused)
        }
    }

    /// Stores nothing, and removes what the response was to replace: the origin has replaced it all the same.
    func giveUp() {
        guard let spool = take() else { return }
        spool.discard()
        if let stored = answer.pending?.stored { load.client.store?.remove(stored.key, stored.variant) }
        answer.departure?.end(.refused)
    }

    /// Stores nothing of what has come.
    func discard() { take()?.discard() }

    /// Stores the whole content.
    func finish() async {
        guard let spool = take(), let pending = answer.pending else { return }
        do throws(StorageError) {
            let body = try spool.finish()
            _ = await load.client.keep(pending, body, load.observer?.proposal)
            answer.departure?.end(.stored(body))
        } catch {
            spool.discard()
            answer.departure?.end(.refused)
        }
    }

    /// Stores what has come of content that broke off.
    func finishIncomplete() {
        guard let spool = take(), let pending = answer.pending else { return }
        guard spool.count > 0 else { return spool.discard() }
        do throws(StorageError) {
            load.client.keepIncomplete(pending, try spool.finish())
        } catch {
            spool.discard()
        }
    }

    private func take() -> BoundedSpool? {
        spool.withLock { spool in
            defer { spool = nil }
            return spool
        }
    }

    private static func announcedLength(_ answer: HopAnswer) -> Int? {
        answer.response.headerFields[.contentLength].flatMap { Int($0) }
    }
}
