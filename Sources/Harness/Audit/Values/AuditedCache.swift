package import CacheSemantics
public import HTTPTypes

/// A kind of cache whose handling of a response an audit reports.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum AuditedCache: Sendable, Hashable {
    /// The cache of a browser.
    case browser
    /// Any shared cache.
    case shared
    /// A shared cache that obeys targeted fields (RFC 9213), in order of precedence.
    case targeted([HTTPField.Name])

    /// The name in reports.
    public var name: String {
        switch self {
        case .browser: "browser"
        case .shared: "shared cache"
        case .targeted(let names): "cache that obeys " + names.map(\.rawName).joined(separator: ", ")
        }
    }

    /// The key in JSON.
    package var key: String {
        switch self {
        case .browser: "browser"
        case .shared: "shared"
        case .targeted: "targeted"
        }
    }

    /// The engine that decides for it.
    package var engine: CacheEngine {
        switch self {
        case .browser: return CacheEngine(kind: .private)
        case .shared: return CacheEngine(kind: .shared)
        case .targeted(let names):
            var engine = CacheEngine(kind: .shared)
            engine.targets = names
            return engine
        }
    }
}

/// The cost of a use of a stored response.
package enum ReuseCost: Sendable, Hashable {
    /// No request.
    case nothing
    /// No wait: the stored response is used while it is validated.
    case background
    /// A conditional request, which a 304 answers without content.
    case validation
    /// The whole response.
    case transfer

    /// The name in JSON.
    package var key: String {
        switch self {
        case .nothing: "nothing"
        case .background: "background"
        case .validation: "validation"
        case .transfer: "transfer"
        }
    }

    /// Returns the cost in words; `size` is that of the content in bytes.
    package func text(size: Int?) -> String {
        switch self {
        case .nothing: "no request"
        case .background: "validation in the background"
        case .validation: "a validation"
        case .transfer: size.map { "a full transfer of \(ByteText.text($0))" } ?? "a full transfer"
        }
    }
}

/// Sizes and times in words.
package enum ByteText {
    /// Returns bytes as `512 bytes`, `1.2 kB` or `3.4 MB`.
    package static func text(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) bytes"
        case ..<1_000_000: "\(bytes / 1000).\(bytes % 1000 / 100) kB"
        default: "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
        }
    }

    /// Returns bytes, or `unknown` for `nil`.
    package static func text(_ bytes: Int?) -> String { bytes.map { text($0) } ?? "unknown" }

    /// Returns seconds in the largest unit that divides them, up to days.
    package static func seconds(_ seconds: Int64) -> String {
        for (unit, name) in [(Int64(86_400), "d"), (3_600, "h"), (60, "min")]
        where seconds >= unit && seconds % unit == 0 {
            return "\(seconds / unit) \(name)"
        }
        return "\(seconds) s"
    }
}
