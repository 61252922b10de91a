public import CacheOracle

/// A run, written in the language of `scenarios/`: the origin sends literally what it sent in the run.
public struct ScenarioText {
    private let sequence: ExchangeSequence
    private let result: SequenceResult

    /// Creates the text of a run.
    public init(_ sequence: ExchangeSequence, _ result: SequenceResult) {
        self.sequence = sequence
        self.result = result
    }

    /// A suite with one scenario, with the disagreements as comments.
    ///
    /// What is to be expected instead is left to whoever resolves them, as are title, level and rules.
    public var text: String {
        let reasons = result.disagreements.map { "# \($0)\n" }.joined()
        return reasons + """
            suite: Found by comparison with the oracle
            scenarios:
              - id: found
                title: To be named after what the RFC requires
                level: check
                rules: [rfc9111.4.2.fresh]
                cache: [\(sequence.isShared ? "shared" : "private")]
                origin:

            """ + routes + "    steps:\n" + steps
    }

    private var routes: String {
        sequence.resources.map { resource in
            let answers = result.events.compactMap { event -> String? in
                guard case .answered(let exchange, let now, let delay, let response) = event,
                    target(of: exchange) == resource.target
                else { return nil }
                return "          - " + answer(response, at: now, delay) + "\n"
            }
            return "      - path: \(resource.path)\n        answers:\n" + answers.joined()
        }.joined()
    }

    private func target(of exchange: Int) -> String? {
        for case .forwarded(exchange, _, let request) in result.events { return request.target }
        return nil
    }

    private func answer(_ response: OracleResponse?, at now: Int, _ delay: Int) -> String {
        guard let response else { return "{fail: close@head}" }
        var parts = response.status == 200 ? [] : ["status: \(response.status)"]
        parts += date(response, at: now)
        let fields = response.fields.names.filter { !["content-length", "date"].contains($0) }.map { name in
            let values = response.fields.lines.filter { $0.name == name }.map { value($0, at: now) }
            return "\(name): " + (values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]")
        }
        parts.append("fields: {\(fields.joined(separator: ", "))}")
        parts.append("conditional: ignore")
        if delay > 0 { parts.append("delay: \(delay)s") }
        if !response.content.isEmpty {
            parts.append("body: '\(String(decoding: response.content, as: UTF8.self))'")
        }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// Returns the origin's Date, where it is not that of the answer.
    private func date(_ response: OracleResponse, at now: Int) -> [String] {
        guard let text = response.fields["date"] else { return ["date: none"] }
        let offset = (OracleDate.parse(text) ?? now) - now
        return offset == 0 ? [] : ["date: \(offset)s"]
    }

    private func value(_ line: FieldSection.Line, at now: Int) -> String {
        switch line.name {
        case "expires":
            OracleDate.parse(line.value).map { "{date: \($0 - now)s}" } ?? "'\(line.value)'"
        case "last-modified", "if-modified-since", "if-unmodified-since":
            OracleDate.parse(line.value).map { "{fixed-date: \($0 - ExchangeSequence.start)s}" }
                ?? "'\(line.value)'"
        default: "'\(line.value)'"
        }
    }

    private var steps: String {
        result.events.compactMap { event -> String? in
            switch event {
            case .advanced(let seconds):
                seconds < 0 ? "      - advance: {wall: \(seconds)s}\n" : "      - advance: \(seconds)s\n"
            case .arrived(let numbers, let requests) where requests.count == 1:
                step(numbers[0], requests[0], indent: "      ")
            case .arrived(let numbers, let requests):
                "      - parallel:\n"
                    + zip(numbers, requests).map { step($0, $1, indent: "          ") }.joined()
            case .forwarded(let exchange, let call, let request):
                "      # call \(call) is forwarded as exchange \(exchange): \(conditions(request))\n"
            case .answered, .delivered: nil
            }
        }.joined()
    }

    private func step(_ number: Int, _ request: OracleRequest, indent: String) -> String {
        var parts = ["path: \(request.target.dropFirst("http://origin.test".count))"]
        if request.method != "GET" { parts.append("method: \(request.method)") }
        let fields = request.fields.lines.filter { $0.name != "x-step" }
        if !fields.isEmpty {
            let texts = fields.map { "\($0.name): \(value($0, at: 0))" }
            parts.append("fields: {\(texts.joined(separator: ", "))}")
        }
        if request.hasContent { parts.append("body: content") }
        return "\(indent)- request: {\(parts.joined(separator: ", "))}\n\(indent)  # call \(number): "
            + delivered(number) + "\n"
    }

    private func delivered(_ number: Int) -> String {
        for case .delivered(number, let delivery) in result.events {
            guard case .response(let response) = delivery else { return "an error" }
            let fields = response.fields.lines.map { "\($0.name): \($0.value)" }.joined(separator: " | ")
            return "\(response.status) \(String(decoding: response.content, as: UTF8.self)) [\(fields)]"
        }
        return "nothing"
    }

    private func conditions(_ request: OracleRequest) -> String {
        request.fields.lines.filter {
            $0.name.hasPrefix("if-") || $0.name == "range" || $0.name == "cache-control"
        }
        .map { "\($0.name): \($0.value)" }.joined(separator: " | ")
    }
}
