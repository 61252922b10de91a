import CacheSemantics
import HTTPTypes

extension Probe {
    /// Content codings (RFC 9110 §8.4, §12.5.3); the first request accepts gzip.
    static let codings: [Probe] = [
        Probe(
            name: "identity",
            rules: [
                "coding-refused", "uncoded-without-vary", "same-etag-for-codings", "codings-differ",
                "coding-larger",
            ],
            skip: { _ in nil },
            request: { $0.request([.acceptEncoding: "identity"]) },
            judge: { context, answer in
                guard answer.status == 200 else {
                    let sentence = "Accept-Encoding: identity got a \(answer.status)"
                    return context.refusal(answer, "coding-refused", sentence)
                }
                guard answer.codings.isEmpty else {
                    let coding = answer.codings.joined(separator: ", ")
                    return .violates(
                        "coding-refused",
                        "Accept-Encoding: identity got content coded as \(coding)"
                    )
                }
                guard !context.first.codings.isEmpty else { return .satisfied }
                return ProbeVerdict(
                    observations: variants(context, context.first, answer) + contents(context, answer)
                        + larger(context.first, answer)
                )
            }
        ),
        compressed("brotli", coding: "br"),
        compressed("zstd", coding: "zstd"),
    ]

    /// Returns the probe of a coding that only newer clients accept.
    private static func compressed(_ name: String, coding: String) -> Probe {
        Probe(
            name: name,
            rules: [
                "same-etag-for-codings", "coding-without-vary", "codings-differ", "undecodable-content",
                "coding-larger",
            ],
            skip: { _ in nil },
            request: { $0.request([.acceptEncoding: coding]) },
            judge: { context, answer in
                guard answer.status == 200 else { return .unknown("the answer has status \(answer.status)") }
                guard answer.codings == [coding] else { return .satisfied }
                // Of more than two codings with one tag, the first two are enough.
                let isKnown = context.violated.contains("same-etag-for-codings")
                let others = isKnown ? [] : [context.plain, context.first].compactMap(\.self)
                var found = Array(others.flatMap { sameTag($0, answer) }.prefix(1))
                // A private cache has one client, which always accepts the same codings.
                if context.isShared, !nominates(answer, .acceptEncoding) {
                    let sentence =
                        "content coded as \(coding) has no Vary: Accept-Encoding, so caches send it to every client"
                    found.append(Observation("coding-without-vary", sentence))
                }
                found += undecodable(answer) + contents(context, answer)
                return ProbeVerdict(observations: found + (context.plain.map { larger(answer, $0) } ?? []))
            }
        )
    }

    /// Returns the finding for content that is not what its coding produces.
    static func undecodable(_ exchange: AuditedExchange) -> [Observation] {
        guard let problem = exchange.codingProblem else { return [] }
        let sentence =
            "Content-Encoding is \(problem.coding), but the content is not coded that way: \(problem.detail)"
        return [Observation("undecodable-content", sentence)]
    }

    private static func variants(_ context: ProbeContext, _ coded: AuditedExchange, _ plain: AuditedExchange)
        -> [Observation]
    {
        var found = sameTag(coded, plain)
        // Without Vary on the coded variant, that is the finding.
        if nominates(coded, .acceptEncoding), !nominates(plain, .acceptEncoding),
            context.isShared
        {
            let coding = coded.codings.joined(separator: ", ")
            found.append(
                Observation(
                    "uncoded-without-vary",
                    "the URL has a variant coded as \(coding), but without it there is no Vary: Accept-Encoding, "
                        + "so caches send the larger one to every client"
                )
            )
        }
        return found
    }

    private static func sameTag(_ one: AuditedExchange, _ other: AuditedExchange) -> [Observation] {
        guard one.codings != other.codings, let tag = one.entityTag, tag == other.entityTag, !tag.isWeak
        else {
            return []
        }
        let names = [one, other].map { $0.codings.isEmpty ? "none" : $0.codings.joined(separator: ", ") }
        let sentence =
            "the strong entity tag \(tag.text) is used for two codings, \(names[0]) and \(names[1])"
        return [Observation("same-etag-for-codings", sentence, effect: "parts of both can be joined")]
    }

    /// Compares the decoded content of an answer with that of the first, if that does not change by itself.
    private static func contents(_ context: ProbeContext, _ answer: AuditedExchange) -> [Observation] {
        guard context.isSteady == true, let one = context.first.decodedIdentity,
            let other = answer.decodedIdentity, one != other, context.first.codings != answer.codings
        else { return [] }
        let sizes = "\(one.size) and \(other.size) bytes"
        let names = "\(coding(of: context.first)) and \(coding(of: answer))"
        return [
            Observation("codings-differ", "decoded, the content with \(names) is not the same (\(sizes))")
        ]
    }

    /// Compares the bytes that were transferred of one content.
    private static func larger(_ coded: AuditedExchange, _ plain: AuditedExchange) -> [Observation] {
        guard let size = coded.receivedBytes, let usual = plain.receivedBytes, size > usual,
            let identity = coded.decodedIdentity, identity == plain.decodedIdentity
        else { return [] }
        let sizes = "\(size) bytes with \(coding(of: coded)), \(usual) without"
        return [
            Observation("coding-larger", "the content has \(sizes): small files are better sent uncompressed")
        ]
    }

    private static func coding(of exchange: AuditedExchange) -> String {
        exchange.codings.isEmpty ? "no coding" : exchange.codings.joined(separator: ", ")
    }

    static func nominates(_ exchange: AuditedExchange, _ name: HTTPField.Name) -> Bool {
        let vary = Vary(exchange.fields[values: .vary])
        return vary.neverMatches || vary.names.contains(name)
    }
}
