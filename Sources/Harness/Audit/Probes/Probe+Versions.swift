import CacheClient
import CacheSemantics
import HTTPTypes

extension Probe {
    /// HTTP/1.0, in which proxies ask that are not configured otherwise, nginx before 1.29.7 among them.
    static let versions: [Probe] = [
        Probe(
            name: "http-1.0",
            rules: ["chunks-for-1.0", "version-changes-policy"],
            version: .http10,
            skip: { _ in nil },
            request: { $0.request([.acceptEncoding: "identity"]) },
            judge: { context, answer in
                guard answer.status == 200 else { return .unknown("the answer has status \(answer.status)") }
                return ProbeVerdict(observations: chunks(answer) + policy(context, answer))
            }
        )
    ]

    private static func chunks(_ answer: AuditedExchange) -> [Observation] {
        guard let coding = answer.fields[.transferEncoding] else { return [] }
        return [
            Observation(
                "chunks-for-1.0",
                "the answer to an HTTP/1.0 request has Transfer-Encoding: \(coding), so that a proxy takes the framing "
                    + "for content, which it stores"
            )
        ]
    }

    /// Compares what decides on storing and reuse, unless it differs between equal requests, too.
    private static func policy(_ context: ProbeContext, _ answer: AuditedExchange) -> [Observation] {
        guard let plain = context.plain, !context.violated.contains("origins-disagree") else { return [] }
        return [HTTPField.Name.cacheControl, .vary].compactMap { name in
            guard differs(name, plain, answer), !(name == .cacheControl && countsDown(context)) else {
                return nil
            }
            let (usual, old) = (text(plain, name), text(answer, name))
            return Observation("version-changes-policy", "HTTP/1.0 gets \(old), HTTP/1.1 \(usual)")
        }
    }

    private static func differs(_ name: HTTPField.Name, _ one: AuditedExchange, _ other: AuditedExchange)
        -> Bool
    {
        func members(_ exchange: AuditedExchange) -> Set<String> {
            Set(ListField.members(of: exchange.fields[values: name]).map { $0.lowercased() })
        }
        return members(one) != members(other)
    }
}
