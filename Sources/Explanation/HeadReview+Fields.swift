import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Dates that cannot be read, or do not fit together.
    var ofDates: [Advice] {
        var found: [Advice] = []
        for name in [HTTPField.Name.date, .expires, .lastModified] {
            guard let text = fields[name], date(name) == nil else { continue }
            if name == .expires, text == "0" || text == "-1" {
                let sentence =
                    "Expires: \(text) is no date; caches take it for the past, max-age=0 or no-cache says so plainly"
                found.append(hint("expires-is-no-date", sentence, "RFC 9111 §5.3"))
            } else {
                let sentence = "\(name.rawName): \"\(text)\" cannot be read as a date, which has to be in GMT"
                found.append(problem("unreadable-date", sentence, "RFC 9110 §5.6.7"))
            }
        }
        for name in [HTTPField.Name.date, .expires, .lastModified] {
            guard let text = fields[name], let read = date(name), read.text != text else { continue }
            let sentence = "\(name.rawName): \"\(text)\" is an obsolete form of \(read.text)"
            found.append(hint("obsolete-date", sentence, "RFC 9110 §5.6.7"))
        }
        if !fields.contains(.date) {
            let sentence = "without Date, caches count the age from when they received the response"
            found.append(hint("no-date", sentence, "RFC 9110 §6.6.1"))
        }
        if let made = date(.date), let modified = date(.lastModified), modified > made {
            let sentence = "Last-Modified is later than Date"
            found.append(problem("modified-in-future", sentence, "RFC 9110 §8.8.2.1"))
        }
        if let expires = date(.expires), let made = date(.date), expires <= made, control.maxAge == nil,
            !control.noStore, control.noCache == .nothing
        {
            let sentence = "Expires is not later than Date, so the response is stale at once"
            found.append(hint("expired-at-once", sentence, "RFC 9111 §4.2.1"))
        }
        return found
    }

    /// Validators that are missing or cannot be used.
    var ofValidators: [Advice] {
        var found: [Advice] = []
        if let text = fields[.eTag] {
            if let tag = EntityTag(parsing: text) {
                if !text.contains("\"") {
                    let sentence =
                        "ETag: \(text) has no quotes, which some recipients do not take for an entity tag"
                    found.append(problem("unquoted-etag", sentence, "RFC 9110 §8.8.3"))
                }
                if tag.isWeak, fields[.acceptRanges] == "bytes" {
                    let sentence = "a weak ETag cannot resume a broken download; ranges need a strong one"
                    found.append(hint("weak-etag-and-ranges", sentence, "RFC 9110 §13.1.5"))
                }
            } else {
                found.append(problem("broken-etag", "ETag: \(text) is no entity tag", "RFC 9110 §8.8.3"))
            }
        }
        if let stored, !stored.hasValidator, stored.statusCode == 200, status == 200 {
            let sentence =
                "without ETag and Last-Modified a stale response is sent in full again; add one of them"
            found.append(hint("no-validator", sentence, "RFC 9111 §4.3.1"))
        }
        return found
    }

    /// A Vary that keeps caches from being of use, or that is missing.
    var ofVary: [Advice] {
        var found: [Advice] = []
        let vary = Vary(fields[values: .vary])
        if vary.neverMatches {
            let sentence = "Vary: * keeps a cache from ever using the response; no-store would say so plainly"
            found.append(problem("vary-star", sentence, "RFC 9111 §4.1"))
        }
        for name in vary.names where Self.scattering.contains(name) {
            let sentence =
                "Vary: \(name.rawName) stores a response for nearly every client, so that hardly any is used twice"
            found.append(hint("vary-scatters", sentence, "RFC 9111 §4.1"))
        }
        if vary.names.count > 4 {
            let sentence = "Vary nominates \(vary.names.count) fields; each multiplies what has to be stored"
            found.append(hint("vary-many", sentence, "RFC 9111 §4.1"))
        }
        if fields.contains(.contentEncoding), !vary.names.contains(.acceptEncoding), !vary.neverMatches {
            let sentence =
                "coded content without Vary: Accept-Encoding is given to those, too, who cannot decode it"
            found.append(problem("coding-without-vary", sentence, "RFC 9110 §12.5.5"))
        }
        return found
    }

    private static let scattering: [HTTPField.Name] = [.userAgent, .cookie, .referer, .authorization]

    /// How long it is fresh, and whether that was said.
    var ofFreshness: [Advice] {
        guard let stored else { return [] }
        let terms = exchange.engine.lifetimeTerms(of: stored)
        var found: [Advice] = []
        if terms.source == .heuristic {
            let sentence =
                "nothing says how long the response is fresh; caches guess, here \(terms.seconds) s"
            found.append(hint("heuristic-lifetime", sentence, "RFC 9111 §4.2.2"))
        }
        if terms.source == .none, control.noCache == .nothing {
            let sentence = "nothing says how long the response is fresh, and there is nothing to guess by"
            found.append(hint("no-lifetime", sentence, "RFC 9111 §4.2.1"))
        }
        let age = exchange.engine.ageTerms(of: stored, now: received).sum
        if terms.seconds > 0, age >= terms.seconds {
            let sentence =
                "the response was \(age) s old when it came, so its \(terms.seconds) s had passed already"
            found.append(problem("arrives-stale", sentence, "RFC 9111 §4.2.3"))
        }
        if control.immutable, terms.seconds < 86_400 {
            let sentence =
                "immutable says that the content never changes, yet the response is fresh for \(terms.seconds) s alone"
            found.append(hint("immutable-but-short", sentence, "RFC 8246 §2"))
        }
        if control.maxAge != nil, let expires = date(.expires), let made = date(.date),
            terms.source == .maxAge, abs(expires.seconds(since: made) - terms.seconds) > 1
        {
            let sentence =
                "Expires says \(expires.seconds(since: made)) s and max-age \(terms.seconds) s; max-age counts"
            found.append(hint("expires-and-max-age", sentence, "RFC 9111 §5.3"))
        }
        return found
    }

    /// Fields that do nothing, or do harm, in a stored response.
    var ofOtherFields: [Advice] {
        var found: [Advice] = []
        if let pragma = HTTPField.Name("Pragma"), fields.contains(pragma) {
            let sentence = "Pragma means nothing in a response; Cache-Control has to say it"
            found.append(hint("pragma-in-response", sentence, "RFC 9111 §5.4"))
        }
        if let text = fields[.age], DeltaSeconds(parsing: text.utf8) == nil {
            let sentence = "Age: \"\(text)\" is no number of seconds and is ignored"
            found.append(problem("invalid-age", sentence, "RFC 9111 §5.1"))
        }
        if fields.contains(.setCookie), stored != nil, control.isPublic || control.sharedMaxAge != nil {
            let sentence =
                "a shared cache gives this Set-Cookie to every user; private, or no-cache=\"Set-Cookie\", would not"
            found.append(problem("shared-cookie", sentence, "RFC 9111 §7.3"))
        }
        if exchange.request.headerFields.contains(.authorization), control.isPublic {
            let sentence = "public lets shared caches give what answers this user's credentials to everybody"
            found.append(hint("public-with-authorization", sentence, "RFC 9111 §3.5"))
        }
        return found
    }
}
