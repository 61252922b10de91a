import HTTPTypes

extension Probe {
    /// HEAD, compared with GET (RFC 9110 §9.3.2), both without content codings.
    static let heads: [Probe] = [
        Probe(
            name: "head",
            rules: ["head-refused", "head-differs"],
            skip: { $0.plain == nil ? "no representation without content coding is known" : nil },
            request: { context in
                var request = context.request([.acceptEncoding: "identity"])
                request.method = .head
                return request
            },
            judge: { context, answer in
                guard let plain = context.plain else { return .satisfied }
                switch answer.status {
                case 405, 501: return .violates("head-refused", "HEAD got a \(answer.status)")
                case 200: return .init(observations: different(context, plain, answer))
                default:
                    return context.refusal(answer, "head-differs", "HEAD got a \(answer.status), GET a 200")
                }
            }
        )
    ]

    private static func different(_ context: ProbeContext, _ plain: AuditedExchange, _ head: AuditedExchange)
        -> [Observation]
    {
        compared(context).compactMap { name in
            guard plain.fields[name] != head.fields[name] else { return nil }
            let isOmitted = head.fields[name] == nil
            // RFC 9110 §9.3.2: fields whose value is determined only while the content is generated may be omitted.
            if isOmitted, [.contentLength, .vary].contains(name) { return nil }
            let (get, found) = (text(plain, name), text(head, name))
            var observation = Observation("head-differs", "HEAD has \(found), GET \(get)")
            // Some servers compute the tag from the content.
            if isOmitted, name == .eTag { observation.severity = .advice }
            return observation
        }
    }

    /// Returns the names of the fields to compare: validators and lengths only if GET gives the same ones twice.
    private static func compared(_ context: ProbeContext) -> [HTTPField.Name] {
        var names: [HTTPField.Name] = [.contentType, .vary]
        if context.hasSteadyPolicy { names.append(.cacheControl) }
        if context.hasSteadyTag { names.append(.eTag) }
        if context.hasSteadyDate { names.append(.lastModified) }
        if context.isSteady == true { names.append(.contentLength) }
        return names
    }

    static func text(_ exchange: AuditedExchange, _ name: HTTPField.Name) -> String {
        exchange.fields[name].map { "\(name.rawName): \($0)" } ?? "no \(name.rawName)"
    }
}
