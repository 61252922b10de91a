import Clocks
public import FaultProxy
import HTTPArchive
import JSON
public import LocatedYAML

/// Conversion of exchanges from and to HTTP archives (HAR 1.2).
public enum HARFile {
    /// Returns the text of a file with these exchanges, in the order of their start.
    ///
    /// Secrets are replaced by default: `Redaction(isOn: false)` writes credentials and cookies as they are. `version` is the
    /// one that the file names for its creator, `cachecheck`.
    public static func text(
        _ exchanges: [CapturedExchange],
        redaction: Redaction = Redaction(),
        version: String
    ) -> String {
        let redacted = exchanges.map { redaction.applied(to: $0) }
        return JSONValue.object([("log", log(redacted, version: version))]).written(.indented) + "\n"
    }

    /// Returns the value of `log`.
    static func log(_ exchanges: [CapturedExchange], version: String) -> JSONValue {
        let ordered = exchanges.enumerated().sorted { left, right in
            (left.element.startedAt, left.offset) < (right.element.startedAt, right.offset)
        }
        return HTTPArchive.log(ordered.map { .init($0.element) }, version: version)
    }

    /// Parses a file; throws all its problems at once, with their positions.
    ///
    /// Only complete entries are returned; `onOmission` is called for the others.
    public static func exchanges(
        _ text: String,
        file: String,
        onOmission: (String) -> Void = { _ in }
    ) throws(YAMLProblems) -> [CapturedExchange] {
        let archive = try HTTPArchive(json: text, file: file)
        let problems = ProblemCollector()
        var exchanges: [CapturedExchange] = []
        for entry in archive.entries {
            switch HAREntryReader(problems: problems).read(entry) {
            case .exchange(let exchange): exchanges.append(exchange)
            case .omitted(let reason): onOmission("\(entry.node.position): \(reason)")
            case nil: break
            }
        }
        try problems.throwIfAny()
        return exchanges
    }
}

extension HTTPArchive.Exchange {
    fileprivate init(_ exchange: CapturedExchange) {
        let response = exchange.response
        self.init(
            startedAt: exchange.startedAt.seconds,
            method: exchange.method,
            url: exchange.origin + exchange.target
        )
        milliseconds = exchange.duration.seconds * 1000
        waitMilliseconds = max(.zero, exchange.answeredAt - exchange.startedAt).seconds * 1000
        (status, reason) = (response.status, response.reason)
        request.fields = exchange.requestFields.map { ($0.name, $0.value) }
        request.content = exchange.requestBody
        self.response.fields = response.fields.map { ($0.name, $0.value) }
        let decoded = CodedContent(response.body, response.fields).plain
        (self.response.content, self.response.isCoded) = (decoded ?? response.body, decoded == nil)
        self.response.sentBytes = response.body.count
    }
}
