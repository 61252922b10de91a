import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import Locks
import MockOrigin
import OriginScript
import PublicSuite
import Scenarios

/// Runs one test of the public suite against the built-in client in virtual time.
struct SuiteTestEnvironment {
    let test: SuiteTest
    let id: String
    let dialect: SuiteDialect
    let origin: NamespaceOrigin
    let subject: BuiltinSubject
    let interim: InterimRecorder
    let clock: VirtualClock
    let driver: ClockDriver
    /// Returns the requests that the origin has recorded.
    let state: () -> [StateEntry]

    /// Runs the test to its end.
    func run() -> SuiteOutcome {
        var conversation = SuiteConversation(test, id: id, dialect: dialect)
        var outcome = SuiteOutcome()
        while outcome.result == nil {
            do throws(HarnessProblem) {
                try take(conversation.next(), &conversation, &outcome)
            } catch {
                conversation.fail(error.description)
            }
        }
        return outcome
    }

    private func take(
        _ action: SuiteConversation.Action,
        _ conversation: inout SuiteConversation,
        _ outcome: inout SuiteOutcome
    ) throws(HarnessProblem) {
        switch action {
        case .send(let call):
            let (reply, record) = try send(call, after: outcome.steps)
            outcome.steps.append(record)
            conversation.receive(reply)
        case .pause(let duration): try driver.advance(by: duration)
        case .readState: conversation.receive(state: state())
        case .finish(let result): outcome.result = result
        }
    }

    private func send(
        _ call: SuiteCall,
        after earlier: [StepRecord]
    ) throws(HarnessProblem) -> (SuiteReply, StepRecord) {
        var record = StepRecord(
            number: call.number,
            title: "\(call.method) \(call.target)",
            position: call.position,
            startedAt: clock.elapsed.seconds
        )
        let seen = try exchange(call)
        // The effects of a request end before the next one, so that verdicts do not depend on timing.
        try driver.settle()
        let reported = earlier.reduce(0) { $0 + $1.arrivals.count }
        record.arrivals = origin.record(after: reported)
        record.exchanges = [
            CallerExchange(
                method: call.method,
                target: call.target,
                fields: call.fields,
                seen: CallerObservation(seen.result, log: seen.log)
            )
        ]
        return (SuiteReply(seen.result, interim: interim.take()), record)
    }

    private func exchange(_ call: SuiteCall) throws(HarnessProblem) -> Seen {
        let seen = Lock<Seen?>(nil)
        let signal = driver.signal
        _ = interim.take()
        let task = subject.fetch(call.clientRequest(at: origin.authority)) { result, log in
            seen.withLock { $0 = $0 ?? Seen(result: result, log: log) }
            signal.raise()
        }
        let timer = clock.schedule(after: SuiteConversation.patience) { task.cancel() }
        defer { timer.cancel() }
        try driver.wait(for: "\(call.method) \(call.target)") { seen.withLock { $0 != nil } }
        guard let seen = seen.withLock({ $0 }) else { throw HarnessProblem("no result") }
        return seen
    }

    private struct Seen: Sendable {
        let result: Result<ClientResponse, ClientError>
        let log: EventLog
    }
}

extension SuiteCall {
    /// The request as the built-in client makes it.
    fileprivate func clientRequest(at authority: String) -> ClientRequest {
        var request = ClientRequest(url: authority + target)
        request.method = HTTPRequest.Method(rawValue: method) ?? .get
        request.fields = HTTPFields(latin1Lines: fields)
        request.body = body.map(RequestBody.bytes)
        request.policy = policy
        request.timeout = SuiteConversation.patience
        return request
    }
}

extension SuiteReply {
    fileprivate init(_ result: Result<ClientResponse, ClientError>, interim: [HTTPResponse]) {
        switch result {
        case .success(let response):
            self = .response(SuiteResponse(response.response, body: response.body, interim: interim))
        case .failure(let error):
            let isLate = error.cause?.kind == .timedOut || error.cause?.kind == .cancelled
            self = isLate ? .timedOut : .failed(error.description)
        }
    }
}

extension SuiteResponse {
    /// Creates a response from one that came over HTTP.
    init(_ response: HTTPResponse, body: [UInt8], interim: [HTTPResponse]) {
        self.init(
            status: response.status.code,
            fields: response.headerFields.latin1Lines,
            body: body,
            interim: interim.map { Interim(status: $0.status.code, fields: $0.headerFields.latin1Lines) }
        )
    }
}

extension HTTPFields {
    /// Creates field lines whose values are sent in ISO-8859-1; a name that HTTP does not allow is omitted.
    init(latin1Lines lines: [(name: String, value: String)]) {
        self.init()
        for line in lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            let bytes = line.value.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
            append(HTTPField(name: name, lenientValue: bytes))
        }
    }

    /// The lines with their values read as ISO-8859-1.
    var latin1Lines: [(name: String, value: String)] {
        map { field in
            let value = field.withUnsafeBytesOfValue { bytes in
                String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            }
            return (field.name.rawName, value)
        }
    }
}
