import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Returns advice on invalid or inconsistent dates.
    var ofDates: [Advice] {
        var found = ofRepeatedFields
        for name in [HTTPField.Name.date, .expires, .lastModified] where !isRepeated(name) {
            found += fields[values: name].compactMap { ofDate(name, $0) }
        }
        if !fields.contains(.date) {
            let sentence = "without Date, caches calculate the age from the time they received the response"
            found.append(hint("no-date", sentence, "RFC 9110 §6.6.1"))
        }
        if let made = date(.date), let modified = date(.lastModified), modified > made {
            let sentence = "Last-Modified is later than Date"
            found.append(problem("modified-in-future", sentence, "RFC 9110 §8.8.2.1"))
        }
        if let terms, terms.source == .expires, terms.seconds == 0, control.noCache == .nothing {
            let sentence = "Expires is not later than Date, so the response is stale at once"
            found.append(hint("expired-at-once", sentence, "RFC 9111 §4.2.1"))
        }
        return found
    }

    /// Returns advice on singleton fields with several lines.
    private var ofRepeatedFields: [Advice] {
        var found: [Advice] = []
        for name in [HTTPField.Name.date, .lastModified, .eTag] where isRepeated(name) {
            let sentence =
                "\(name.rawName) has \(fields[values: name].count) lines, but allows a single value; all are ignored"
            found.append(problem("repeated-field", sentence, "RFC 9110 §5.3"))
        }
        if Set(fields[values: .expires]).count > 1 {
            let sentence =
                "Expires has several values; the earliest is used, and an invalid one means the past"
            found.append(problem("several-expires", sentence, "RFC 9111 §4.2.1"))
        }
        return found
    }

    /// Whether a field has several lines, which are meaningful only for Expires.
    private func isRepeated(_ name: HTTPField.Name) -> Bool {
        name != .expires && fields[values: name].count > 1
    }

    /// Whether a valid date has the form that is not obsolete: the others have no zone, or hyphens.
    private static func isUsualForm(_ text: String) -> Bool {
        text.dropFirst(3).hasPrefix(", ") && !text.contains("-")
    }

    private func ofDate(_ name: HTTPField.Name, _ text: String) -> Advice? {
        if let read = read(text) {
            guard read.text != text else { return nil }
            let isUsual = Self.isUsualForm(text)
            if isUsual, text.prefix(3).lowercased() != read.text.prefix(3).lowercased(),
                !text.contains(":60 ")
            {
                let sentence =
                    "\(name.rawName): \"\(text)\" has the wrong day of the week; it is read as \(read.text)"
                return hint("wrong-weekday", sentence, "RFC 9110 §5.6.7")
            }
            let form = isUsual ? "unusual" : "obsolete"
            let sentence = "\(name.rawName): \"\(text)\" is an \(form) form of \(read.text)"
            return hint("obsolete-date", sentence, "RFC 9110 §5.6.7")
        }
        guard name == .expires, text == "0" || text == "-1" else {
            let sentence = "\(name.rawName): \"\(text)\" is not a valid date; dates have to be in GMT"
            return problem("unreadable-date", sentence, "RFC 9110 §5.6.7")
        }
        // With no-store, `Expires: 0` is intended for HTTP/1.0 caches, which ignore Cache-Control.
        guard stored != nil || storedByShared != nil else { return nil }
        let sentence = "Expires: \(text) is not a date; "
        guard terms.map({ $0.source == .invalid }) ?? true else {
            return hint("expires-is-no-date", sentence + "it is ignored here", "RFC 9111 §5.3")
        }
        let advice = "caches treat it as the past, which max-age=0 or no-cache states clearly"
        return hint("expires-is-no-date", sentence + advice, "RFC 9111 §5.3")
    }

    /// The freshness lifetime; `nil` if it is not stored.
    private var terms: LifetimeTerms? { stored.map(exchange.engine.lifetimeTerms) }

    /// Returns advice on missing and unusable validators.
    var ofValidators: [Advice] {
        var found: [Advice] = []
        if let text = fields[values: .eTag].first, !isRepeated(.eTag) {
            if let tag = EntityTag(parsing: text) {
                if !text.contains("\"") {
                    let sentence =
                        "ETag: \(text) has no quotes, so some recipients do not accept it as an entity tag"
                    found.append(problem("unquoted-etag", sentence, "RFC 9110 §8.8.3"))
                }
                if tag.isWeak, ListField.members(of: fields[values: .acceptRanges]).contains("bytes") {
                    let sentence =
                        "an interrupted download cannot be resumed with a weak ETag; ranges need a strong one"
                    found.append(hint("weak-etag-and-ranges", sentence, "RFC 9110 §13.1.5"))
                }
            } else {
                found.append(problem("broken-etag", "ETag: \(text) is not an entity tag", "RFC 9110 §8.8.3"))
            }
        }
        if let stored, !stored.hasValidator, stored.statusCode == 200, status == 200 {
            let sentence =
                "without ETag and Last-Modified, a stale response is sent in full again; add one of them"
            found.append(hint("no-validator", sentence, "RFC 9111 §4.3.1"))
        }
        return found
    }
}
