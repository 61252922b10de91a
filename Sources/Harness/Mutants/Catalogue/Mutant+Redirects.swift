import CacheClient
import CacheSemantics
import Conformance
import HTTPTypes
import Locks

extension Mutant {
    /// Redirects (RFC 9110 §15.4).
    static let ofRedirects: [Mutant] = [
        Mutant(
            "redirect-loses-method",
            "A POST that is redirected by 307 or 308 becomes a GET",
            [.redirectMethodKept, .redirectMethod],
            changingHead { head in
                if [307, 308].contains(head.status.code) { head.status = .found }
            }
        ),
        Mutant(
            "redirect-keeps-method",
            "A POST that is redirected by 301, 302 or 303 stays a POST",
            [.redirectMethod],
            changingHead { head in
                if [301, 302, 303].contains(head.status.code) { head.status = .temporaryRedirect }
            }
        ),
        Mutant(
            "redirect-keeps-credentials",
            "Credentials of a request are sent with the next ones, to whatever origin",
            [.redirectCredentials],
            repeating([.authorization, .cookie, .proxyAuthorization])
        ),
        Mutant(
            "redirect-keeps-content-fields",
            "The fields about the content of a request are sent with the next ones",
            [.redirectContentFields],
            repeating([.contentType, .contentLanguage, .contentLocation, .lastModified])
        ),
    ]

    /// Content codings (RFC 9110 §8.4).
    static let ofCodings: [Mutant] = [
        Mutant(
            "coded-content-delivered",
            "Coded content is not decoded",
            [.contentDecoded],
            codings { _ in [] }
        ),
        Mutant(
            "codings-in-wrong-order",
            "Of several content codings the first is decoded first",
            [.codingsInOrder],
            codings { $0.reversed() }
        ),
        Mutant(
            "coding-names-case-sensitive",
            "A content coding with a capital letter is unknown",
            [.codingCase],
            codings { names in names.allSatisfy { $0 == $0.lowercased() } ? names : [] }
        ),
        Mutant(
            "x-gzip-unknown",
            "x-gzip is an unknown content coding",
            [.codingAlias],
            codings { $0.contains("x-gzip") ? [] : $0 }
        ),
    ]

    /// Returns a decoration whose transport delivers changed heads.
    static func changingHead(_ change: @escaping @Sendable (inout HTTPResponse) -> Void) -> Decoration {
        receiving { HeadChangingReceiver($0, change) }
    }

    /// Returns a decoration whose transport delivers other content codings.
    private static func codings(_ change: @escaping @Sendable ([String]) -> [String]) -> Decoration {
        changingHead { head in
            let names = ListField.members(of: head.headerFields[values: .contentEncoding]).map { String($0) }
            guard !names.isEmpty else { return }
            let changed = change(names)
            head.headerFields[.contentEncoding] = changed.isEmpty ? nil : changed.joined(separator: ", ")
        }
    }

    /// Returns a decoration whose transport repeats fields of a request in later ones that lack them.
    private static func repeating(_ names: [HTTPField.Name]) -> Decoration {
        var decoration = Decoration()
        decoration.transport = { base in
            let last = Lock(HTTPFields())
            return TransportDecorator(base: base) { request in
                for name in names where request.headerFields.contains(name) {
                    last.withLock { $0[name] = request.headerFields[name] }
                }
                for name in names where !request.headerFields.contains(name) {
                    request.headerFields[name] = last.withLock { $0[name] }
                }
            }
        }
        return decoration
    }
}
