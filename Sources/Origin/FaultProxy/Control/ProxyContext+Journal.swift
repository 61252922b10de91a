import Clocks
import JSON
import MockOrigin
import OriginScript

/// Records events in the journal.
extension ProxyContext {
    /// Records the faults of a connection that happened before its first request.
    func connectionFaulted(_ connection: Int, _ marks: [FaultTrack.Mark], _ end: String) {
        guard let journal else { return }
        var entry = JournalEntry(connection: connection, at: clock.wallSeconds)
        (entry.injected, entry.ended) = (marks.map(\.description), end)
        journal.add(entry)
    }

    /// Records that a track has passed on a part of an exchange's request.
    func passed(_ exchange: ProxiedExchange, request track: inout FaultTrack) {
        exchange.contents?.add(request: track.takeContent()[...])
        injected(exchange, track.takeMarks())
    }

    /// Records that a track has passed on a part of an exchange's response.
    func passed(_ exchange: ProxiedExchange, response track: inout FaultTrack) {
        exchange.contents?.add(response: track.takeContent()[...])
        injected(exchange, track.takeMarks())
    }

    /// Records the faults that happened in an exchange.
    func injected(_ exchange: ProxiedExchange, _ marks: [FaultTrack.Mark]) {
        guard !marks.isEmpty else { return }
        journal?.change(exchange.number) { $0.injected += marks.map(\.description) }
    }

    /// Records that the head of a response is about to be sent or, without a status, cut off; `original` is the status of
    /// the upstream.
    func progressed(
        _ exchange: ProxiedExchange,
        status: Int?,
        head: ArraySlice<UInt8>,
        _ marks: [FaultTrack.Mark],
        of original: Int? = nil
    ) {
        journal?.change(exchange.number) { entry in
            (entry.status, entry.responseHead) = (status, Array(head))
            entry.upstreamStatus = original == status ? nil : original
            entry.injected += marks.map(\.description) + exchange.changes
        }
    }

    /// Records the end of an exchange.
    func ended(_ exchange: ProxiedExchange, _ end: String) {
        guard let journal else { return }
        let time = clock.elapsed - exchange.started.elapsed
        journal.change(exchange.number) { entry in
            entry.ended = end
            entry.milliseconds = time.seconds * 1000
            guard let contents = exchange.contents?.both else { return }
            (entry.requestContent, entry.responseContent) = contents
        }
    }

    /// Records that the upstream could not be reached.
    func failed(_ exchange: ProxiedExchange, _ failure: UpstreamFailure) {
        journal?.change(exchange.number) { ($0.status, $0.cause) = (failure.status, failure.cause) }
        ended(exchange, "complete")
    }

    /// Records how the connection of an exchange ended, unless the exchange's own end is recorded.
    func ended(_ exchange: ProxiedExchange, ifOpen end: String) {
        guard let entry = journal?.entry(exchange.number), entry.ended == nil else { return }
        ended(exchange, end)
    }

    /// Records that the connection to the server of an intercepted CONNECT failed.
    func connectionFailed(_ connection: Int, _ request: ProxiedRequestHead, _ failure: UpstreamFailure) {
        guard let journal else { return }
        var entry = JournalEntry(
            number: 0,
            name: "connection#\(connection)",
            method: request.method,
            target: request.target,
            startedSeconds: clock.wallSeconds,
            rule: ""
        )
        (entry.status, entry.cause, entry.ended) = (failure.status, failure.cause, "complete")
        journal.add(entry)
    }
}

extension ProxiedExchange {
    /// The rule's changes to the message itself, in words.
    fileprivate var changes: [String] {
        guard let answer = choice?.answer else { return [] }
        return answer.passing?.changes ?? ["answer"]
    }
}

extension Passing {
    /// The differences from the upstream's message, in words.
    var changes: [String] {
        (status.map { ["status=\($0)"] } ?? []) + fields.map { "field \($0.name)" }
            + removed.map { "without field \($0)" } + (body == nil ? [] : ["body"])
            + violations.map(\.rawValue).sorted()
    }
}

extension JournalEntry {
    /// Creates the entry of a request that was just read.
    init(_ exchange: ProxiedExchange) {
        self.init(
            number: exchange.number,
            name: exchange.name,
            method: exchange.request.method,
            target: exchange.origin + exchange.request.target,
            startedSeconds: exchange.started.wallSeconds,
            rule: exchange.label
        )
        requestHead = exchange.request.raw.bytes
    }

    /// Creates the entry of a connection on which no request was read.
    fileprivate init(connection: Int, at time: Double) {
        self.init(
            number: 0,
            name: "connection#\(connection)",
            method: "",
            target: "",
            startedSeconds: time,
            rule: ""
        )
    }
}

extension ProxyContext {
    /// Reports a change that is not an exchange to the clients that follow the events.
    func publish(_ name: String) {
        notices.add(name, [:])
        journal?.readers.notify()
    }
}
