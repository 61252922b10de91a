import HTTPServing
import OriginScript

/// The answer of the suite's origin to one request at one time; decides everything and has no effects.
struct SuiteAnswer {
    /// A request at the origin.
    struct Arrival {
        let request: ServedRequest
        /// The number that the client gave it; `nil` if it gave none.
        let number: Int?
        /// The numbers of the requests that arrived before.
        let earlierNumbers: [Int?]
        let milliseconds: Int
        /// Whether the element has answered before.
        let isRepeated: Bool
    }

    let element: ElementScript
    let arrival: Arrival
    let id: String
    let dialect: SuiteDialect
    /// The element's fields with their values written out; a repeated request gets the same values.
    let fields: [SuiteField]?
    private let status: (code: Int, phrase: String)

    init(
        _ element: ElementScript,
        after previous: ElementScript?,
        to arrival: Arrival,
        id: String,
        dialect: SuiteDialect
    ) {
        self.element = element
        self.arrival = arrival
        self.id = id
        self.dialect = dialect
        let magic = MagicValue(
            nowMilliseconds: arrival.milliseconds,
            baseURL: arrival.request.target,
            hasMagicLocations: element.hasMagicLocations,
            rfc850Names: element.rfc850Names
        )
        // The suite's own server adds the prefix of a location again although it is already there.
        let isWritten = arrival.isRepeated && dialect == .strict
        fields = element.fields?.map { field in
            var field = field
            if !isWritten { field.value = magic.rewrite(field.value, of: field.name) }
            return field
        }
        status = Self.status(of: element, after: previous, arrival.request)
    }

    private var request: ServedRequest { arrival.request }

    // MARK: Status

    private static func status(
        of element: ElementScript,
        after previous: ElementScript?,
        _ request: ServedRequest
    ) -> (code: Int, phrase: String) {
        guard element.expectsValidation else { return element.status ?? (200, "OK") }
        return isConfirmed(request, previous?.fields ?? [])
            ? (304, "Not Modified") : (999, "304 Not Generated")
    }

    /// Whether a validator equals the one that was sent for the previous element; they are compared as texts.
    private static func isConfirmed(_ request: ServedRequest, _ sent: [SuiteField]) -> Bool {
        let pairs = [
            (FieldName.ifModifiedSince, FieldName.lastModified), (FieldName.ifNoneMatch, FieldName.entityTag),
        ]
        return pairs.contains { condition, validator in
            guard let value = NodeFields.value(of: condition, in: request.fields),
                let field = sent.last(where: { $0.name.isSameFieldName(as: validator) })
            else { return false }
            return field.value == .text(value)
        }
    }

    // MARK: The record

    /// The record of the request.
    var entry: StateEntry {
        StateEntry(
            requestNumber: arrival.number,
            method: request.method,
            requestFields: NodeFields.all(request.fields),
            answerFields: recordedFields
        )
    }

    /// The recorded fields: each name contains all values so far of that name in any case.
    private var recordedFields: [StateEntry.AnswerField] {
        var recorded: [StateEntry.AnswerField] = []
        for (index, field) in (fields ?? []).enumerated() where field.isRecorded {
            let values = (fields ?? [])[...index].filter { $0.name.isSameFieldName(as: field.name) }.map(
                \.value
            )
            if let index = recorded.firstIndex(where: { $0.name == field.name }) {
                recorded[index].values = values
            } else {
                recorded.append(StateEntry.AnswerField(field.name, values))
            }
        }
        return recorded
    }

    // MARK: The reply

    /// The reply that is sent.
    var reply: ComposedReply {
        let content = hasContent ? Array(text.utf8) : []
        let framing = SuiteFraming(fields ?? [], contentCount: hasContent ? content.count : nil, request)
        var head = ComposedReply.Head(
            status: status.code,
            reason: status.phrase,
            fields: lines + framing.fields
        )
        // A bug of the suite's own server: the head is sent in UTF-8 with content, and in ISO-8859-1 without.
        head.isLatin1 = dialect == .strict || !hasContent
        var reply = ComposedReply(head: head, steps: interim, coding: framing.coding, ending: framing.ending)
        if element.disconnects {
            reply.ending = .close
            return reply
        }
        reply.steps.append(.head)
        guard hasContent else { return reply }
        let chunk = framing.coding == .chunked ? content.count : nil
        reply.steps += [.content(Content(content), chunk: chunk, endsChunk: chunk != nil), .endOfContent]
        return reply
    }

    private var hasContent: Bool { status.code != 204 && status.code != 304 && request.method != "HEAD" }

    private var text: String { element.body.flatMap { $0.isEmpty ? nil : $0 } ?? id }

    private var interim: [ComposedReply.Step] {
        guard request.isHTTP11 else { return [] }
        return element.interim.compactMap { interim in
            guard let fields = Self.interimFields(interim) else { return nil }
            let phrase = ReasonPhrase.standard(interim.status)
            let head = ComposedReply.Head(
                status: interim.status,
                reason: phrase,
                fields: fields,
                isLatin1: true
            )
            return .interim(head)
        }
    }

    /// Returns the fields of an interim response; `nil` if it is not sent.
    ///
    /// 102 has no fields; 103 is sent only with `link`, which comes first; of a repeated name the last line counts.
    private static func interimFields(_ interim: ElementScript.Interim) -> [ServedField]? {
        if interim.status == 102 { return [] }
        guard interim.status == 103 else { return nil }
        var names: [String] = []
        var values: [String: String] = [:]
        for field in interim.fields where values.updateValue(field.value.plainText, forKey: field.name) == nil
        {
            names.append(field.name)
        }
        let link = "link"
        guard let first = values[link] else { return nil }
        let others = names.filter { $0 != link }.map { ServedField($0, values[$0] ?? "") }
        return [ServedField(SuiteFieldName.link, first)] + others
    }

    // MARK: Field lines

    private var lines: [ServedField] {
        [
            ServedField(SuiteFieldName.serverBaseURL, request.target),
            ServedField(SuiteFieldName.serverRequestCount, String(arrival.earlierNumbers.count + 1)),
            ServedField(SuiteFieldName.clientRequestCount, Self.text(arrival.number)),
            ServedField(SuiteFieldName.serverNow, String(arrival.milliseconds)),
        ] + grouped + (has(FieldName.contentType) ? [] : [ServedField(FieldName.contentType, "text/plain")])
            + [
                ServedField(
                    SuiteFieldName.requestNumbers,
                    (arrival.earlierNumbers + [arrival.number]).map(Self.text).joined(separator: " ")
                )
            ] + (has(FieldName.date) ? [] : [ServedField(FieldName.date, date)])
    }

    /// The lines grouped by name, at the position of the first line with the name, in the case of the last one.
    private var grouped: [ServedField] {
        let fields = fields ?? []
        var lines: [ServedField] = []
        var seen: Set<String> = []
        for field in fields where seen.insert(field.name.lowercased()).inserted {
            let same = fields.filter { $0.name.isSameFieldName(as: field.name) }
            let name = same.last?.name ?? field.name
            lines += same.map { ServedField(name, $0.value.plainText) }
        }
        return lines
    }

    private func has(_ name: String) -> Bool {
        fields?.contains { $0.name.isSameFieldName(as: name) } ?? false
    }

    private var date: String { DateForm.imf.text(secondsSinceEpoch: Int64(arrival.milliseconds / 1000)) }

    private static func text(_ number: Int?) -> String { number.map { String($0) } ?? "NaN" }
}
