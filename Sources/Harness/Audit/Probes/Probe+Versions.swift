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
                "the answer to an HTTP/1.0 request has Transfer-Encoding: \(coding), so a proxy takes the framing "
                    + "for content, which it stores"
            )
        ]
    }

    /// Compares what each cache does with the two, however that is written, unless lifetimes count down.
    private static func policy(_ context: ProbeContext, _ answer: AuditedExchange) -> [Observation] {
        guard let plain = context.plain, context.hasSteadyPolicy else { return [] }
        let found =
            CachePolicy.difference(answer, "what is sent in HTTP/1.0", from: plain, "the same in HTTP/1.1")
            ?? vary(plain, answer)
        return found.map { [Observation("version-changes-policy", $0)] } ?? []
    }

    private static func vary(_ plain: AuditedExchange, _ answer: AuditedExchange) -> String? {
        let (usual, old) = (Vary(plain.fields[values: .vary]), Vary(answer.fields[values: .vary]))
        guard usual.names != old.names || usual.neverMatches != old.neverMatches else { return nil }
        return "HTTP/1.0 gets \(text(answer, .vary)), HTTP/1.1 \(text(plain, .vary))"
    }
}
