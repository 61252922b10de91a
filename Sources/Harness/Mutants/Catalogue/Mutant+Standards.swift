import CacheClient
import CacheSemantics
import Conformance
import HTTPTypes

extension Mutant {
    /// Digests, dictionaries, QUERY and incremental messages (RFC 9530, RFC 9842, RFC 10008).
    static let ofStandards: [Mutant] = [
        Mutant(
            "content-digest-updated",
            "A 304 replaces the Content-Digest of what is stored",
            [.contentDigestKept],
            updating(.contentDigest)
        ),
        Mutant(
            "repr-digest-updated",
            "A 304 with a weak entity tag replaces the Repr-Digest of what is stored",
            [.reprDigestKept],
            updating(.reprDigest)
        ),
        Mutant(
            "dictionary-for-everyone",
            "A response that is coded with a dictionary is reused whatever the request's dictionary",
            [.dictionaryVaries],
            EngineDefect.fields { fields, _ in
                if CompressionDictionary.isUsed(by: fields) { fields[.contentEncoding] = "x-dictionary" }
            }
        ),
        Mutant(
            "dictionary-always-offered",
            "A dictionary is offered whether it is fresh or not",
            [.dictionaryUsable],
            sending {
                $0.headerFields[.availableDictionary] = ":pZGm1Av0IEBKARczz7exkNYsZb8LzaMrV7J32a2fFG4=:"
            }
        ),
        Mutant(
            "dictionary-codings-accepted",
            "The codings dcb and dcz are accepted without a dictionary",
            [.dictionaryCodings],
            sending { $0.headerFields[.acceptEncoding] = "gzip, dcb, dcz" }
        ),
        Mutant(
            "query-always-forwarded",
            "No QUERY is answered from the store",
            [.queryReused],
            EngineDefect.serving { _, question in
                question.request.method == .query ? .forward(question.request) : nil
            }
        ),
        Mutant(
            "query-conditions-ignored",
            "The preconditions of a QUERY are not evaluated",
            [.queryConditions],
            askedOfQuery { $0[.ifNoneMatch] = nil }
        ),
        Mutant(
            "query-ranges-ignored",
            "The Range of a QUERY is ignored",
            [.queryRanges],
            askedOfQuery { $0[.range] = nil }
        ),
        Mutant(
            "query-type-normalized",
            "The Content-Type of a QUERY is forwarded in lower case",
            [.queryUnchanged],
            sending { request in
                guard request.method == .query else { return }
                request.headerFields[.contentType] = request.headerFields[.contentType]?.lowercased()
            }
        ),
        Mutant(
            "every-redirect-is-see-other",
            "A QUERY is followed by a GET after every redirect",
            [.queryRedirected],
            redirecting(as: .seeOther)
        ),
        Mutant(
            "see-other-keeps-method",
            "A QUERY is repeated after 303",
            [.querySeeOther],
            redirecting(as: .temporaryRedirect)
        ),
        Mutant(
            "incremental-held",
            "An incremental response is forwarded when it is complete",
            [.incrementalForwarded],
            receiving { HoldingReceiver($0, if: \.headerFields.isIncremental) }
        ),
    ]

    /// Returns a decoration whose transport delivers every redirect with another status.
    private static func redirecting(as status: HTTPResponse.Status) -> Decoration {
        changingHead { head in
            if [301, 302, 303, 307, 308].contains(head.status.code) { head.status = status }
        }
    }

    /// Returns the engine in which every 304 replaces a field.
    private static func updating(_ name: HTTPField.Name) -> EngineDefect {
        EngineDefect.freshening { stored, exchanged in
            guard let value = exchanged.response?.headerFields[name] else { return stored }
            return stored.changing { $0[name] = value }
        }
    }

    /// Returns the engine that sees every QUERY with changed fields, before it is forwarded.
    private static func askedOfQuery(_ change: @escaping @Sendable (inout HTTPFields) -> Void) -> EngineDefect
    {
        EngineDefect.asked(at: [.planning]) { request in
            if request.method == .query { change(&request.headerFields) }
        }
    }
}
