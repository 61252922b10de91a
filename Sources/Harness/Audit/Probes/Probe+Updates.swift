import CacheSemantics
import Explanation
import HTTPTypes

/// A 304 or a 206 compared with the 200, whose fields a cache replaces by theirs (RFC 9111 §3.2).
extension Probe {
    /// Fields that they have if a 200 would have them (RFC 9110 §15.3.7, §15.4.5).
    static let required: [HTTPField.Name] = [.cacheControl, .contentLocation, .date, .eTag, .expires, .vary]

    /// Returns the names of the fields that only the 200 has; `nil` if there are none.
    static func missing(_ names: [HTTPField.Name], in answer: AuditedExchange, of whole: AuditedExchange)
        -> String?
    {
        let missing = names.filter { whole.fields.contains($0) && !answer.fields.contains($0) }
        return missing.isEmpty ? nil : missing.map(\.rawName).joined(separator: ", ")
    }

    /// Returns the contradictions between the fields of an answer and those of the 200; `name` is that of the answer in
    /// the sentences.
    static func differences(
        _ context: ProbeContext,
        _ whole: AuditedExchange,
        _ answer: AuditedExchange,
        _ name: String
    ) -> [String] {
        [otherPolicy(context, whole, answer, name)].compactMap(\.self)
            + described(context).compactMap { field in
                guard answer.fields.contains(field), value(field, whole) != value(field, answer) else {
                    return nil
                }
                return "\(name) has \(text(answer, field)), the 200 \(text(whole, field))"
            }
    }

    /// Returns the change that an update makes to a cache's policy, if equal requests get equal lifetimes.
    private static func otherPolicy(
        _ context: ProbeContext,
        _ whole: AuditedExchange,
        _ answer: AuditedExchange,
        _ name: String
    ) -> String? {
        guard context.hasSteadyPolicy else { return nil }
        let fields = [HTTPField.Name.cacheControl, .cdnCacheControl, .expires].filter {
            answer.fields.contains($0) && answer.fields[$0] != whole.fields[$0]
        }
        let reason = fields.map { text(answer, $0) }.joined(separator: ", ")
        let object = "what \(name) updates (\(reason))"
        return CachePolicy.difference(whole.updated(by: answer), object, from: whole, "the 200 alone")
    }

    /// Returns the fields that describe or select the content, and are not different for each request.
    private static func described(_ context: ProbeContext) -> [HTTPField.Name] {
        [.contentEncoding, .contentType, .contentLocation]
            + (context.violated.contains("origins-disagree") ? [] : [.vary])
            + (context.hasSteadyDate ? [.lastModified] : [])
    }

    /// Returns the value of a field in a form in which equal values are compared.
    private static func value(_ name: HTTPField.Name, _ exchange: AuditedExchange) -> [String] {
        switch name {
        case .contentEncoding: return exchange.codings
        case .contentType: return [exchange.mediaType]
        case .vary:
            let vary = Vary(exchange.fields[values: .vary])
            return vary.neverMatches ? ["*"] : vary.names.map(\.canonicalName)
        default: return exchange.fields[values: name]
        }
    }

    /// Returns the finding for the Content-Length of a 304 that is not that of the 200.
    static func otherLength(_ context: ProbeContext, _ answer: AuditedExchange, _ name: String)
        -> Observation?
    {
        guard context.isSteady == true, let text = answer.fields[.contentLength],
            let size = context.first.receivedBytes, size == context.again?.receivedBytes, Int(text) != size
        else { return nil }
        let sentence = "\(name) has Content-Length: \(text), but the 200 has \(size) bytes"
        return Observation("304-differs", sentence, section: "RFC 9110 §8.6")
    }

    /// Returns the finding for a cookie that a 304 adds to what shared caches store.
    static func addedCookie(_ context: ProbeContext, _ answer: AuditedExchange, _ name: String)
        -> Observation?
    {
        guard !context.first.fields.contains(.setCookie), answer.fields.contains(.setCookie) else {
            return nil
        }
        let updated = context.first.updated(by: answer)
        let shared = [CacheOutcome(updated.explained, in: .shared), updated.network].compactMap(\.self)
        guard shared.contains(where: { $0.explanation.advice.contains { $0.id == "shared-cookie" } }) else {
            return nil
        }
        let sentence =
            "\(name) has a Set-Cookie, which shared caches add to the stored response and send to every user"
        return Observation("304-cookie", sentence)
    }
}

extension AuditedExchange {
    /// Returns the exchange as a cache that stores it has it after an update (RFC 9111 §3.2).
    func updated(by answer: AuditedExchange) -> AuditedExchange {
        var copy = self
        for name in Set(answer.fields.map(\.name)).subtracting([.contentLength]) {
            copy.response.headerFields[fields: name] = answer.fields[fields: name]
        }
        (copy.requestTime, copy.responseTime) = (answer.requestTime, answer.responseTime)
        return copy
    }
}
