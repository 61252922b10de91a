import Clocks
import HTTPServing
import Locks
public import OriginScript

/// An origin with its own site or script, clock, faults and record: that of the whole server, of a run, of a scenario, or
/// of a test of the public suite.
public final class OriginNamespace: Sendable {
    /// The parts of a namespace.
    struct Setup {
        /// The path below which it answers, without a trailing slash; empty for the whole server.
        var base = ""
        var site = Site()
        /// The manner of matching its built-in pages; `nil` if it has neither pages nor files, and lists no near misses.
        var pages: PageMatching? = .path
        /// The number of exchanges that are kept; `nil` for all, with all of their content.
        var journalSize: Int?
        let injector: FaultInjector
        let contents: ContentStore
        /// The time from which `fixed-date` and `last-modified` offsets count; `nil` is now.
        var startedAt: Double?
        /// A test of the public suite, which answers instead of routes; `nil` if there is none.
        var suite: SuiteScript?
        /// Passes requests to an upstream; `nil` if there is none.
        var passer: (any RequestPasser)?
        /// Returns the value of `${other}`.
        var other: @Sendable () -> String = { "" }
        var onClose: @Sendable (OriginNamespace) -> Void = { _ in }
    }
    struct State {
        var site: ServedSite
        /// The bytes on the connections; `nil` unless they are kept.
        var wire: WireLog?
        /// Exchanges in progress by their number; greetings of connections have negative numbers.
        var live: [Int: RawExchange] = [:]
        /// Requests whose reading is paused.
        var pauses: [UInt64: ReadingPause] = [:]
        var directInFlight = 0
        var directParked = 0
        var onActivity: (@Sendable () -> Void)?
        var isClosed = false
    }
    /// The absolute path prefix of every request to this namespace: `/-/` and its token; the value of `${base}`.
    public let base: String
    let suite: SuiteScript?
    let passer: (any RequestPasser)?
    let other: @Sendable () -> String
    let contents: ContentStore
    let state: Lock<State>
    let journal: Journal
    /// Events that are not exchanges.
    let notices = ControlEvents()
    /// Faults and the network.
    package let injector: FaultInjector
    /// The prepared responses.
    let prepared = PreparedTable()
    /// Serializes changes of the site, because concurrent ones would overwrite each other.
    let edits = Lock(())
    private let onClose: @Sendable (OriginNamespace) -> Void

    init(_ setup: Setup) {
        let clock = setup.injector.clock
        let start = ServedSite.Start(
            moment: HTTPTimestamp(wallSeconds: setup.startedAt ?? clock.wallSeconds),
            elapsed: clock.elapsed
        )
        (base, suite, other) = (setup.base, setup.suite, setup.other)
        passer = setup.passer
        (injector, contents, onClose) = (setup.injector, setup.contents, setup.onClose)
        journal = Journal(size: setup.journalSize)
        state = Lock(State(site: ServedSite(setup.site, pages: setup.pages, start: start)))
    }

    var clock: any TimeSource { injector.clock }

    // MARK: Record

    /// Returns the exchanges in order of arrival, after checking which clients have disconnected.
    public func record() -> [RecordedExchange] {
        let live = state.withLock { $0.live.filter { $0.key > 0 } }
        for (number, exchange) in live {
            exchange.detectDisconnect()
            // Another thread may have detected a disconnect without having reported it yet.
            if exchange.isAbandoned { journal.ended(number, .aborted, bytesSent: exchange.bytesSent) }
        }
        var record = journal.entries()
        record.numberConnections()
        return record
    }

    /// Starts recording the bytes of all connections.
    public func recordWireBytes() {
        state.withLock { $0.wire = $0.wire ?? WireLog() }
    }

    /// The bytes on the connections since `recordWireBytes()`, by exchange, ordered by the requests' labels.
    ///
    /// While `isAtRest` is true, it is the same in every run of the same script.
    public var wireLog: String {
        state.withLock { $0.wire }?.text ?? ""
    }

    /// The random decisions so far, in order.
    public var decisions: [FaultDecision] { injector.faults.decisions }

    /// Whether a fault of the plan currently refuses connections.
    public var isRefusing: Bool { injector.isRefusing }

    /// The time that reading the content of the last request took; `nil` before the first, and without a network.
    public var lastUpload: Duration? { injector.link?.lastUpload }

    /// Stops all exchanges and answers 404 from now on; may be repeated.
    public func close() {
        let (live, pauses) = state.withLock { state in
            state.isClosed = true
            return (Array(state.live.values), Array(state.pauses.values))
        }
        for pause in pauses { pause.resume() }
        for exchange in live { exchange.stop() }
        // After the exchanges, so that released responses have none to continue.
        injector.stop()
        onClose(self)
    }
}
