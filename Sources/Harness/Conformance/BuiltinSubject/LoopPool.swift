import CacheClient
import Scenarios

/// Keeps a client's loop ready for each scenario and ends it afterwards.
///
/// A loop is used once, so that no connection is shared by scenarios. It has no thread: the thread that runs the
/// scenario's steps drives it while waiting, so a request needs no thread switches except the origin's.
struct LoopPool: Sendable {
    private static let usual = ClientSettings().connectionsPerHost
    private let pool: Pool<ClientLoop>

    /// Creates a pool and starts its thread.
    init() {
        pool = Pool(.init(ready: 8, lingering: 2, batch: 6)) { () throws(SubjectError) in
            try Self.make(Self.usual)
        } restore: { loop in
            Self.end(&loop)
            return false
        }
    }

    /// Returns an unused loop.
    func take(_ connectionsPerHost: Int = usual) throws(SubjectError) -> ClientLoop {
        if connectionsPerHost == Self.usual, let loop = pool.take() { return loop }
        return try Self.make(connectionsPerHost)
    }

    /// Takes back a loop that no longer runs, and ends it soon.
    func recycle(_ loop: ClientLoop) {
        if pool.recycle(loop) { return }
        var loop = loop
        Self.end(&loop)
    }

    /// Ends the loops that are not in use; called once, after the last scenario.
    func stop() {
        var rest = pool.stop()
        // Taken out of the array, whose reference would count as another user.
        while var loop = rest.popLast() { Self.end(&loop) }
    }

    private static func make(_ connectionsPerHost: Int) throws(SubjectError) -> ClientLoop {
        do throws(TransportError) {
            return try ClientLoop(drivenWith: connectionsPerHost)
        } catch {
            throw SubjectError(error.description)
        }
    }

    /// Cancels the requests that a loop still carries; tasks on it that wait for something else must be able to end.
    private static func end(_ loop: inout ClientLoop) {
        loop.close()
        if !isKnownUniquelyReferenced(&loop) { _ = loop.startThread() }
    }
}
