import Scenarios
import WireSyntax

extension StepRecord {
    /// Whether the caller got 502 or an error because the origin's last response, a 206 or 304, does not match the
    /// subject's request.
    ///
    /// A cache may send the request again, or consider the response invalid (RFC 9110 §15.6.3).
    var rejectsMismatch: Bool {
        guard arrivals.last?.isMismatched == true else { return false }
        return exchanges.contains { ($0.seen.status ?? 502) == 502 }
    }
}

extension OriginExchange {
    /// Whether the response is a 206 or 304 with a different entity tag or range than the request.
    fileprivate var isMismatched: Bool {
        switch request.answeredStatus {
        case 206: hasOtherTag(than: "if-range", requiresTag: true) || hasOtherRange
        case 304: hasOtherTag(than: "if-none-match", requiresTag: false)
        default: false
        }
    }

    /// Whether the response's entity tag is none of those in a field of the request, or is missing although required.
    private func hasOtherTag(than name: String, requiresTag: Bool) -> Bool {
        let sent = CacheFields.values(of: name, in: request.fields)
            .flatMap { $0.split(separator: ",") }
            .map(\.trimmingWhitespace)
        // If-Range may have a date, If-None-Match an asterisk.
        guard sent.contains(where: { $0.hasSuffix("\"") }) else { return false }
        let tag = CacheFields.values(of: "etag", in: answerFields).first
        return tag.map { !sent.contains($0.trimmingWhitespace) } ?? requiresTag
    }

    /// Whether the response contains a different range than the one that was requested.
    private var hasOtherRange: Bool {
        guard let asked = CacheFields.values(of: "range", in: request.fields).first,
            let sent = CacheFields.values(of: "content-range", in: answerFields).first
        else { return false }
        // `bytes=5-9` or `bytes=5-`, and `bytes 5-9/10`.
        let (wanted, got) = (asked.split { "=-".contains($0) }, sent.split { " -/".contains($0) })
        // The origin may combine several ranges, and a suffix has no first position.
        guard (2...3).contains(wanted.count), got.count == 4, !asked.contains("=-") else { return false }
        if wanted.count > 2 { return wanted[1] != got[1] || wanted[2] != got[2] }
        return wanted[1] != got[1] || Int(got[2]).map { $0 + 1 } != Int(got[3])
    }
}
