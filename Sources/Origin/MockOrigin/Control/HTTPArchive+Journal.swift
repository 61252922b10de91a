package import HTTPArchive
package import HTTPServing
package import JSON

/// The exchanges of a journal as an HTTP archive, with the beginnings of their content.
extension HTTPArchive {
    /// Returns the archive.
    package static func journal(_ exchanges: [Exchange]) -> JSONValue {
        ["log": log(exchanges, version: "1")]
    }
}

extension HTTPArchive.Exchange {
    /// Notes the injected faults, how the exchange ended, if not as usual, and the label of the route or rule, in `_cachecheck`;
    /// the first two also in words.
    package mutating func note(injected: [String], ended: String?, rule: String?) {
        var own: [(String, JSONValue)] = [("injected", JSONValue(injected))]
        if let ended { own.append(("ended", .string(ended))) }
        if let rule { own.append(("rule", .string(rule))) }
        let words = injected + (ended.map { ["ended: \($0)"] } ?? [])
        remarks = ["comment": .string(words.joined(separator: "; ")), "_cachecheck": .object(own)]
    }

    /// Notes the status that was sent, with its usual reason phrase.
    package mutating func note(status: Int?) {
        (self.status, reason) = (status, status.map(ReasonPhrase.standard) ?? "")
    }

    /// Creates the entry of an exchange of the mock server at `origin`.
    init(_ exchange: RecordedExchange, origin: String) {
        self.init(
            startedAt: exchange.arrivedSeconds,
            method: exchange.method,
            url: origin + exchange.request.target
        )
        let content = KeptContent(exchange.request.body, count: exchange.contentCount)
        request = HTTPArchive.WrittenMessage(exchange.fields, content)
        response = HTTPArchive.WrittenMessage(exchange.answerFields, nil)
        note(status: exchange.status)
        note(
            injected: exchange.faults,
            ended: exchange.isAborted ? "client gone" : exchange.ending,
            rule: exchange.route
        )
    }
}

extension HTTPArchive.WrittenMessage {
    /// Creates a message of which a journal keeps the beginning of its content; `nil` if it keeps none.
    package init(_ fields: [ServedField], _ content: KeptContent?) {
        self.init()
        self.fields = fields.map { ($0.name, $0.value) }
        guard let content else {
            (self.content, sentBytes) = (nil, -1)
            comment = "The journal does not store response content."
            return
        }
        (self.content, size) = (content.bytes, content.count)
        guard content.bytes.count < content.count else { return }
        if content.bytes.isEmpty {
            (self.content, comment) = (nil, "The journal no longer keeps this content.")
        } else {
            comment = "The first \(content.bytes.count) of \(content.count) bytes."
        }
    }
}
