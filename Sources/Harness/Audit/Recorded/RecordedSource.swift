import CacheSemantics
package import HTTPArchive
package import HTTPTypes
import LocatedYAML

/// The source of a recorded response, according to its entry.
package enum RecordedSource: Sendable, Hashable {
    /// The network; no cache on the way reports that it has answered.
    case network
    /// The cache of the browser.
    case browser
    /// The memory of a document, which is not an HTTP cache.
    case document
    /// A service worker, whose reasons are not in the archive.
    case serviceWorker
    /// A shared cache; `evidence` is the field that shows it, such as `Age: 60`.
    case shared(evidence: String)

    /// Reads an entry.
    ///
    /// Chromium writes `_fromCache` and `_fetchedViaServiceWorker`, Safari `_fetchType`; Firefox, and others that follow
    /// HAR 1.2, write the received size 0 for content that is there.
    package init(_ entry: HTTPArchive.Entry, _ response: HTTPResponse) {
        if let source = entry.node.value(of: "_fetchType")?.scalarText.flatMap({ Self.fetchTypes[$0] }) {
            self = source
        } else if Self.isSet(entry, "_fetchedViaServiceWorker") {
            self = .serviceWorker
        } else if let from = entry.node.value(of: "_fromCache")?.scalarText, from != "false" {
            self = from == "memory" ? .document : .browser
        } else if Self.isSet(entry, "_servedFromCache") || Self.receivedNothing(entry, response) {
            self = .browser
        } else if let evidence = Self.evidence(response.headerFields) {
            self = .shared(evidence: evidence)
        } else {
            self = .network
        }
    }

    /// The values of Safari that name no network.
    private static let fetchTypes: [String: RecordedSource] = [
        "Memory Cache": .document, "Disk Cache": .browser, "Service Worker": .serviceWorker,
    ]

    /// In a sentence: `from the browser's cache`.
    package var text: String {
        switch self {
        case .network: "from the network"
        case .browser: "from the browser's cache"
        case .document: "from the memory of a document"
        case .serviceWorker: "from a service worker"
        case .shared(let evidence): "from a shared cache (\(evidence))"
        }
    }

    /// The word in JSON.
    package var key: String {
        switch self {
        case .network: "network"
        case .browser: "browser"
        case .document: "document"
        case .serviceWorker: "service-worker"
        case .shared: "shared"
        }
    }

    private static func isSet(_ entry: HTTPArchive.Entry, _ key: String) -> Bool {
        entry.node.value(of: key)?.scalarText.map { $0 != "false" } ?? false
    }

    private static func receivedNothing(_ entry: HTTPArchive.Entry, _ response: HTTPResponse) -> Bool {
        guard response.status == .ok, let message = entry.response, message.node.number("bodySize") == 0
        else { return false }
        return (message.node.value(of: "content")?.number("size") ?? 0) > 0
    }

    // MARK: Shared caches

    /// Returns the sign that a shared cache has answered without validation; `nil` if there is none.
    ///
    /// Age implies that the origin has not generated the response now (RFC 9111 §5.1), but some caches send 0 with what
    /// they forward.
    private static func evidence(_ fields: HTTPFields) -> String? {
        if let field = statusField(fields) { return hit(field) }
        guard let age = fields[.age], let seconds = DeltaSeconds(parsing: age.utf8), seconds.seconds > 0
        else { return nil }
        return "Age: \(age)"
    }

    /// Returns the field by which a shared cache reports that it has answered without validation; `nil` if there is none.
    static func sharedHit(_ fields: HTTPFields) -> String? { statusField(fields).flatMap(hit) }

    private struct StatusField {
        let name: String
        let members: [String]
    }

    /// Returns the field by which caches report how they answered: Cache-Status is a standard (RFC 9211), the others are
    /// of products.
    private static func statusField(_ fields: HTTPFields) -> StatusField? {
        let names = [
            "Cache-Status", "X-Cache", "X-Cache-Status", "CF-Cache-Status", "X-Proxy-Cache", "X-Vercel-Cache",
        ]
        return names.lazy.compactMap { HTTPField.Name($0) }.first { fields.contains($0) }.map {
            StatusField(name: $0.rawName, members: ListField.members(of: fields[values: $0]))
        }
    }

    private static func hit(_ field: StatusField) -> String? {
        let isHit = field.name == "Cache-Status" ? isStandardHit : isProductHit
        return field.members.first(where: isHit).map { "\(field.name): \($0)" }
    }

    private static func isStandardHit(_ member: String) -> Bool {
        let parameters = member.split(separator: ";").dropFirst()
        return parameters.contains { ["hit", "hit=?1"].contains($0.filter { $0 != " " }) }
    }

    /// Whether a product's word means a hit: `HIT from edge`, `TCP_MEM_HIT`, `STALE`, but not `RefreshHit`, which was
    /// validated.
    private static func isProductHit(_ member: String) -> Bool {
        let word = member.uppercased().prefix { $0 != " " && $0 != ":" }
        return word.hasSuffix("HIT") && !word.contains("REFRESH") || word == "STALE" || word == "UPDATING"
    }
}
