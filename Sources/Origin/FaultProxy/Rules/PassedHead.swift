import HTTPServing
import MockOrigin
import OriginScript

/// Changes the head of a response as a rule asks.
struct PassedHead {
    let passing: Passing
    let context: FieldContext

    /// Returns the changed head; `firstTag` returns the entity tag of the first response for the target.
    func changed(_ head: ResponseHead, firstTag: (String) -> String) -> HeadBytes {
        var raw = head.raw
        if let status = passing.status { raw.setStart("HTTP/1.1 \(status) \(ReasonPhrase.standard(status))") }
        for name in passing.removed { raw.remove(name) }
        setFields(&raw)
        for violation in PassViolation.allCases where passing.violations.contains(violation) {
            apply(violation, to: &raw, status: head.status, firstTag)
        }
        if let content = passing.content(insteadOfThatWith: head.status) {
            frame(content, status: passing.status ?? head.status, &raw)
        } else if passing.status == 204 {
            // A 304 may have both, a 204 neither (RFC 9110 §8.6, RFC 9112 §6.1).
            raw.remove(FieldName.contentLength)
            raw.remove(FieldName.transferEncoding)
        }
        return raw
    }

    private func frame(_ body: [UInt8], status: Int, _ raw: inout HeadBytes) {
        raw.remove(FieldName.transferEncoding)
        raw.remove(FieldName.contentEncoding)
        if Passing.hasContent(status) {
            raw.set(FieldName.contentLength, "\(body.count)")
        } else {
            raw.remove(FieldName.contentLength)
        }
    }

    /// Sets the fields of the rule: the first line of a name replaces those of the message.
    private func setFields(_ raw: inout HeadBytes) {
        var names: Set<String> = []
        for line in passing.fields {
            let value = line.value.text(in: context)
            if names.insert(line.name.lowercased()).inserted {
                raw.set(line.name, value)
            } else {
                raw.add(line.name, value)
            }
        }
    }

    private func apply(
        _ violation: PassViolation,
        to raw: inout HeadBytes,
        status: Int,
        _ firstTag: (String) -> String
    ) {
        switch violation {
        case .notModifiedWithoutFields where status == 304:
            let names = [
                FieldName.cacheControl, "Content-Location", FieldName.date, FieldName.entityTag,
                FieldName.expires, FieldName.lastModified, FieldName.vary,
            ]
            for name in names { raw.remove(name) }
        case .notModifiedWithOtherETag where status == 304: raw.set(FieldName.entityTag, "\"another\"")
        case .notModifiedWithoutFields, .notModifiedWithOtherETag: break
        case .sameETag:
            if let tag = raw.values(FieldName.entityTag).first { raw.set(FieldName.entityTag, firstTag(tag)) }
        case .withoutVary: raw.remove(FieldName.vary)
        case .zeroAge: raw.set(FieldName.age, "0")
        case .ageOfADay: raw.set(FieldName.age, "86400")
        case .dateInPast: raw.set(FieldName.date, date(-3600))
        case .dateInFuture: raw.set(FieldName.date, date(3600))
        }
    }

    private func date(_ offset: Int64) -> String {
        FieldValue.date(offset: .seconds(offset), form: .imf).text(in: context)
    }
}
