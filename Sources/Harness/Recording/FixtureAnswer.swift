import Clocks
import FaultProxy
import HTTPServing
import MockOrigin
import OriginScript

/// A recorded response as lines of YAML.
///
/// Dates are written as offsets from the time of receipt, so that they move with the clock of the replay.
struct FixtureAnswer {
    private let exchange: CapturedExchange
    /// The value of `body`; `nil` for no content.
    private let file: String?
    private let receivedAt: Int64

    init(_ exchange: CapturedExchange, file: String?) {
        self.exchange = exchange
        self.file = file
        receivedAt = exchange.answeredAt.wholeSeconds
    }

    /// The keys of the answer, one per line, without indentation.
    var lines: [String] {
        let response = exchange.response
        var lines: [String] = []
        if response.status != 200 { lines.append("status: \(response.status)") }
        if let reason { lines.append("reason: \(FixtureText.scalar(reason))") }
        lines += interim
        let connection = response.fields.filter { $0.isNamed("Connection") }.map(\.value)
        let ofConnection = FieldNameSets.ofConnection(connection).subtracting(["transfer-encoding"])
        var fields = response.fields.filter { !ofConnection.contains($0.name.lowercased()) }
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

    // MARK: Fields that the origin adds

    /// Omits the framing fields if the origin generates the same ones at the same position.
    private func takeFraming(_ fields: inout [CapturedExchange.Field]) -> [String] {
        let isChunked = fields.contains { $0.isNamed(FieldName.transferEncoding) }
        let hasLength = fields.contains { $0.isNamed(FieldName.contentLength) }
        let name = isChunked ? FieldName.transferEncoding : FieldName.contentLength
        let value = isChunked ? "chunked" : "\(exchange.response.body.count)"
        if isChunked || sendsContent, let last = fields.last, last.isNamed(name), last.value == value {
            fields.removeLast()
        }
        if isChunked { return ["framing: chunked"] }
        return hasLength || !hasFraming ? [] : ["framing: close"]
    }

    private var sendsContent: Bool { exchange.method != "HEAD" && hasFraming }

    /// Whether the response has content, or would have for another method.
    private var hasFraming: Bool { ![204, 304].contains(exchange.response.status) }

    /// Returns the answer's line about Date, and removes a Date that comes first if the origin can generate it.
    private func takeDate(_ fields: inout [CapturedExchange.Field]) -> [String] {
        guard let index = fields.firstIndex(where: { $0.isNamed(FieldName.date) }) else {
            return ["date: none"]
        }
        guard index == 0, fields.count(where: { $0.isNamed(FieldName.date) }) == 1,
            fields[0].name == FieldName.date,
            let date = HTTPDateText(fields[0].value, at: exchange.answeredAt.seconds), date.form == .imf,
            let offset = FixtureText.offset(date.seconds - receivedAt)
        else { return [] }
        fields.removeFirst()
        return date.seconds == receivedAt ? [] : ["date: \(FixtureText.scalar(offset))"]
    }

    /// Returns the answer's lines about validators, and removes validators after all other fields, which the origin
    /// generates; elsewhere they are written at their position, too.
    private func takeValidators(_ fields: inout [CapturedExchange.Field]) -> [String] {
        // Only a complete representation can answer preconditions and ranges that were not recorded.
        guard exchange.response.status == 200, exchange.method == "GET" else {
            return (200..<300).contains(exchange.response.status) ? ["conditional: ignore"] : []
        }
        var lines: [String] = []
        // Other values answer no preconditions, and could mean something in the language of answers.
        let tag = fields.last { $0.name == FieldName.entityTag }
            .flatMap { EntityTagSource.isTag($0.value) ? $0.value : nil }
        let modified = fields.last { $0.name == FieldName.lastModified }
            .flatMap { HTTPDateText($0.value, at: exchange.answeredAt.seconds) == nil ? nil : $0.value }
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
        let moves = [FieldName.date, FieldName.expires, FieldName.retryAfter].contains { field.isNamed($0) }
        guard moves, let date = HTTPDateText(field.value, at: exchange.answeredAt.seconds),
            let offset = FixtureText.offset(date.seconds - receivedAt)
        else { return FixtureText.fieldValue(field.value) }
        let form = date.form == .imf ? "" : ", form: \(date.form.rawValue)"
        return "{date: \(FixtureText.scalar(offset))\(form)}"
    }
}
