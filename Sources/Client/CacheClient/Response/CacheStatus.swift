public import CacheSemantics
public import HTTPTypes

/// This cache's handling of a request, as its member of a `Cache-Status` field (RFC 9211).
public struct CacheStatus: Sendable, Hashable, CustomStringConvertible {
    /// The name of the cache in the field.
    public static let cacheName = "CacheCheck"

    /// Whether a stored response answered without going forward (RFC 9211 §2.1).
    public var isHit: Bool
    /// The reason why the request went forward (RFC 9211 §2.2); `nil` for a hit.
    public var forward: ForwardReason?
    /// The status of the next server's response (RFC 9211 §2.3); `nil` if there is none.
    public var forwardStatus: Int?
    /// The remaining freshness in whole seconds, negative for a stale response (RFC 9211 §2.4); `nil` if it is unknown.
    public var ttl: Duration?
    /// Whether the response was stored (RFC 9211 §2.5); `nil` for a hit.
    public var isStored: Bool?
    /// Whether the request shared another request's exchange, or waited for one that it could not use (RFC 9211 §2.6); `nil` for a
    /// request that waited for none.
    public var isCollapsed: Bool?
    /// The primary cache key (RFC 9211 §2.7).
    public var key: String
    /// Additional information (RFC 9211 §2.8); `nil` if there is none.
    public var detail: String?

    /// Creates the status of a hit, or of a request that went forward for `forward`.
    public init(key: String, isHit: Bool = false, forward: ForwardReason? = nil) {
        self.key = key
        self.isHit = isHit
        self.forward = forward
    }

    /// The parameters by name, with their values as text; parameters that do not apply are missing.
    public var parameters: [String: String] {
        Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value) })
    }

    /// The member as it is written in the field.
    public var description: String {
        items.reduce(Self.cacheName) { text, item in
            switch item.name {
            case "hit", "stored", "collapsed": text + "; " + item.name + (item.value == "true" ? "" : "=?0")
            case "key", "detail": text + "; " + item.name + "=" + Self.quoted(item.value)
            default: text + "; " + item.name + "=" + item.value
            }
        }
    }

    /// Returns the parameter `key` as it is written in the field, after another.
    public static func keyParameter(_ key: String) -> String { "; key=" + quoted(key) }

    /// Adds the member to a response's field, after those of caches nearer to the origin (RFC 9211 §2).
    public func append(to fields: inout HTTPFields) {
        fields.append(HTTPField(name: Self.fieldName, value: description))
    }

    /// Returns the members of a response's field, starting with the cache nearest to the origin; empty without the field.
    public static func members(of fields: HTTPFields) -> [String] {
        ListField.members(of: fields[values: fieldName])
    }

    /// `Cache-Status`.
    public static let fieldName: HTTPField.Name = {
        guard let name = HTTPField.Name("Cache-Status") else { preconditionFailure("a field name") }
        return name
    }()

    private var items: [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if isHit { items.append(("hit", "true")) }
        if let forward { items.append(("fwd", forward.rawValue)) }
        if let forwardStatus { items.append(("fwd-status", String(forwardStatus))) }
        if let ttl { items.append(("ttl", String(ttl.wholeSeconds))) }
        if let isStored { items.append(("stored", String(isStored))) }
        if forward != nil, let isCollapsed { items.append(("collapsed", String(isCollapsed))) }
        items.append(("key", key))
        if let detail { items.append(("detail", detail)) }
        return items
    }

    /// Returns a string of RFC 9651 §3.3.3, which may only contain printable ASCII.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.unicodeScalars.append((0x20...0x7E).contains(scalar.value) ? scalar : "?")
        }
        return quoted + "\""
    }
}
