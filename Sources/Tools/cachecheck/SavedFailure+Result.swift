import CacheSemantics
import Clocks
import Conformance
import HTTPServing
import LocatedYAML
import MockOrigin
import OriginScript
import Recording
import Scenarios

extension SavedFailure {
    /// Creates the saved failure of a scenario; `nil` if its file can no longer be read.
    init?(_ result: ScenarioResult, _ options: RunOptions, _ subject: Subject, deviations: [String]) {
        guard let text = readShippedText(result.position.file) else { return nil }
        self.init(
            scenario: result.id,
            cache: result.cacheKind.rawValue,
            file: result.position.file,
            text: text,
            verdict: "\(result.verdict.name): \(result.verdict.reason)"
        )
        (transport, seed) = (options.transport.rawValue, options.seed)
        self.deviations = deviations
        trace = result.trace
        versions = Versions.all
        self.subject = subject
        exchanges = result.capturedExchanges
    }
}

extension SavedFailure.Subject {
    /// Creates the command line's description of the cache under test.
    init(_ choice: SubjectChoice, _ options: RunOptions) {
        self.init()
        self.choice = choice.description
        title = options.subject.title(version: CacheCheck.version)
        originPort = options.originServer.port
        originAddress = options.originServer.address
        time = options.time.rawValue
    }
}

extension ScenarioResult {
    /// The trace that its repetition must equal.
    var trace: SavedFailure.Trace {
        var trace = SavedFailure.Trace()
        trace.decisions = decisions.map(\.description)
        trace.clock = clockMoves.map(\.description)
        trace.wire = wireDigest
        return trace
    }

    /// SHA-256 of the bytes of the connections; empty if they were not recorded.
    var wireDigest: String { wire.isEmpty ? "" : HexDigest.sha256(Array(wire.utf8)) }

    /// The origin's exchanges, in order of arrival.
    var capturedExchanges: [CapturedExchange] {
        steps.flatMap { step in
            step.arrivals.map { arrival in
                // Contents can be assigned only if there is one of each.
                let isOnly = step.arrivals.count == 1 && step.exchanges.count == 1
                let body = isOnly ? step.exchanges.first?.seen.body ?? [] : []
                return CapturedExchange(arrival, scenario: name, body: body)
            }
        }
    }
}

extension CapturedExchange {
    init(_ arrival: OriginExchange, scenario: String, body: [UInt8]) {
        let request = arrival.request
        let host = request.fields.first { $0.name.lowercased() == "host" }?.value ?? "localhost"
        self.init(
            method: request.method,
            origin: "http://\(host)",
            target: request.path + (request.query.map { "?\($0)" } ?? ""),
            response: Response(
                status: request.answeredStatus ?? 0,
                fields: arrival.answerFields.map { Field($0.name, $0.value) },
                body: body
            ),
            at: .saturating(seconds: request.arrivedAt)
        )
        requestFields =
            request.fields.map { Field($0.name, $0.value) } + [Field("X-CacheCheck-Scenario", scenario)]
        requestBody = request.body
    }
}
