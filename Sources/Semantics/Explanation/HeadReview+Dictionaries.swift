import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Returns advice on dictionaries, and on responses that are coded with one (RFC 9842).
    var ofDictionaries: [Advice] {
        var found: [Advice] = []
        let named = Vary(fields[values: .vary])
        if CompressionDictionary.isUsed(by: fields), stored != nil, !named.neverMatches,
            !named.names.contains(.availableDictionary)
        {
            let sentence =
                "content coded with a dictionary without Vary: Available-Dictionary is also sent to clients without this dictionary"
            found.append(problem("dictionary-without-vary", sentence, "RFC 9842 §6.2"))
        }
        if fields.contains(.useAsDictionary), !isUsableDictionary {
            let sentence =
                "the response is offered as a dictionary, but clients use one only while it is fresh or may be served stale"
            found.append(problem("dictionary-not-stored", sentence, "RFC 9842 §2.2.1"))
        }
        return found
    }

    private var isUsableDictionary: Bool {
        stored.map { exchange.engine.secondsAsDictionary($0, now: received) > 0 } ?? false
    }

    /// Returns advice on digests of content that a message does not have (RFC 9530).
    var ofDigests: [Advice] {
        guard status == 304, fields.contains(.contentDigest) else { return [] }
        let sentence =
            "Content-Digest of a 304 is of its empty content, so it does not update what is stored; use Repr-Digest"
        return [hint("digest-of-nothing", sentence, "RFC 9530 §2")]
    }

    /// Returns advice on responses to QUERY (RFC 10008).
    var ofQueries: [Advice] {
        guard exchange.request.method == .query, (200...299).contains(status),
            !exchange.request.headerFields.contains(.contentType)
        else { return [] }
        let sentence =
            "a QUERY without Content-Type succeeded, but must fail: the type is part of the query"
        return [problem("query-without-type", sentence, "RFC 10008 §2")]
    }
}
