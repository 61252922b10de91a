import HTTPServing
import MockOrigin
import OriginScript

/// An answer of a recording as lines of YAML.
///
/// Times are those of the moment at which they came, so that they move with the clock that they are replayed by.
struct FixtureAnswer {
    private let exchange: CapturedExchange
    /// What `body` says; `nil` for no content.
    private let file: String?
    private let receivedAt: Int64

    init(_ exchange: CapturedExchange, file: String?) {
        self.exchange = exchange
        self.file = file
        receivedAt = Int64(exchange.answeredAt.rounded(.down))
    }

    /// The keys of the answer, one a line, without indentation.
    var lines: [String] {
        let response = exchange.response
        var lines: [String] = []
        if response.status != 200 { lines.append("status: \(response.status)") }
        if let reason { lines.append("reason: \(FixtureText.fieldValue(reason))") }
        lines += interim
        var fields = response.fields.filter { field in
            let name = field.name.lowercased()
            return !FieldNames.hopByHop.contains(name) || name == "transfer-encoding"
        }
        let framing = takeFraming(&fields)
        lines += takeDate(&fields)
        let validators = takeValidators(&fields)
        lines += fieldLines(fields, indent: "")
        lines += validators
        if let file { lines.append("body: {file: \(FixtureText.scalar(file))}") }
        return lines + framing
    }

    private var reason: String? {
        let reason = exchange.response.reason
        return ReasonPhrase.standard(exchange.response.status) == reason ? nil : reason
    }

    private var interim: [String] {
        guard !exchange.interim.isEmpty else { return [] }
        return ["interim:"]
            + exchange.interim.flatMap { response in
                ["  - status: \(response.status)"]
                    + fieldLines(response.fields, indent: "    ")
            }
    }

    // MARK: What the origin adds by itself

    /// Leaves what frames the content to the origin where it writes the same at the same place.
    private func takeFraming(_ fields: inout [CapturedExchange.Field]) -> [String] {
        let isChunked = fields.contains { $0.isNamed(FieldName.transferEncoding) }
        let hasLength = fields.contains { $0.isNamed(FieldName.contentLength) }
        if isChunked, let last = fields.last, last.isNamed(FieldName.transferEncoding),
            last.value == "chunked"
        {
            fields.removeLast()
        }
        if !isChunked, let last = fields.last, last.isNamed(FieldName.contentLength), sendsContent,
            last.value == "\(exchange.response.body.count)"
        {
            fields.removeLast()
        }
        if isChunked { return ["framing: chunked"] }
        return hasLength || !hasFraming ? [] : ["framing: close"]
    }

    private var sendsContent: Bool { exchange.method != "HEAD" && hasFraming }

    /// Whether there is anything to frame, or would be if the method were another.
    private var hasFraming: Bool { ![204, 304].contains(exchange.response.status) }

    /// A date in front of everything is the origin's own.
    private func takeDate(_ fields: inout [CapturedExchange.Field]) -> [String] {
        guard let place = fields.firstIndex(where: { $0.isNamed(FieldName.date) }) else {
            return ["date: none"]
        }
        guard place == 0, fields.count(where: { $0.isNamed(FieldName.date) }) == 1,
            fields[0].name == FieldName.date,
            let date = HTTPDateText(fields[0].value, at: exchange.answeredAt), date.form == .imf
        else { return [] }
        fields.removeFirst()
        let offset = date.seconds - receivedAt
        return offset == 0 ? [] : ["date: \(FixtureText.scalar(FixtureText.offset(offset)))"]
    }

    /// Validators behind all other fields are the origin's own; elsewhere they stand in their place, too.
    private func takeValidators(_ fields: inout [CapturedExchange.Field]) -> [String] {
        // Only a whole representation answers other conditions and ranges than those that were recorded.
        guard exchange.response.status == 200, exchange.method == "GET" else {
            return (200..<300).contains(exchange.response.status) ? ["conditional: ignore"] : []
        }
        var lines: [String] = []
        let tag = fields.last { $0.name == FieldName.entityTag }?.value
        let modified = fields.last { $0.name == FieldName.lastModified }?.value
        if let tag { lines.append("etag: \(FixtureText.fieldValue(tag))") }
        if let modified { lines.append("last-modified: \(FixtureText.fieldValue(modified))") }
        let own = [
            tag.map { CapturedExchange.Field(FieldName.entityTag, $0) },
            modified.map { CapturedExchange.Field(FieldName.lastModified, $0) },
        ].compactMap(\.self)
        if !own.isEmpty, fields.suffix(own.count).elementsEqual(own) { fields.removeLast(own.count) }
        return lines
    }

    // MARK: Fields

    private func fieldLines(_ fields: [CapturedExchange.Field], indent: String) -> [String] {
        guard !fields.isEmpty else { return [] }
        let names = fields.map { $0.name.lowercased() }
        guard Set(names).count == names.count else {
            return ["\(indent)fields:"]
                + fields.map { "\(indent)  - [\(FixtureText.scalar($0.name)), \(value($0))]" }
        }
        return ["\(indent)fields:"] + fields.map { "\(indent)  \(FixtureText.scalar($0.name)): \(value($0))" }
    }

    private func value(_ field: CapturedExchange.Field) -> String {
        let moves = [FieldName.date, FieldName.expires, FieldName.retryAfter].contains {
            field.isNamed($0)
        }
        guard moves, let date = HTTPDateText(field.value, at: exchange.answeredAt) else {
            return FixtureText.fieldValue(field.value)
        }
        let form = date.form == .imf ? "" : ", form: \(date.form.rawValue)"
        return "{date: \(FixtureText.scalar(FixtureText.offset(date.seconds - receivedAt)))\(form)}"
    }
}
