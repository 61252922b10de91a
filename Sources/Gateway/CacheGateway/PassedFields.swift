import CacheSemantics
import HTTPTypes

/// The fields of a message that are forwarded (RFC 9110 §7.6.1).
struct PassedFields {
    private static let hopByHop: Set<HTTPField.Name> = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .transferEncoding, .upgrade, .http2Settings,
        .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization,
    ]
    /// Fields of requests that are always forwarded: `Connection` must not list a field that is meant for all recipients.
    private static let indispensable: Set<HTTPField.Name> = [.authorization, .cookie, .host]

    /// Returns the fields of a request that are forwarded; framing and `Host` are generated.
    ///
    /// `passing` are fields of proxies that are forwarded nevertheless, because they are part of the key.
    static func of(
        request fields: HTTPFields,
        method: HTTPRequest.Method,
        passing: Set<HTTPField.Name> = []
    ) -> HTTPFields {
        endToEnd(fields).filter { passing.contains($0.name) || !isOfProxy($0.name, method) }
    }

    /// Returns all fields of a request that are not about the connection; framing and `Host` are generated.
    static func endToEnd(_ fields: HTTPFields) -> HTTPFields {
        let listed = fields.connectionOptions.subtracting(indispensable)
        return fields.filter { !isOfConnection($0.name) && !listed.contains($0.name) }
    }

    /// Whether an origin may base its response on a field that the key does not have: one that a proxy would have added,
    /// or one that it treats as another.
    static func isOfProxy(_ name: HTTPField.Name, _ method: HTTPRequest.Method) -> Bool {
        // A field may replace the method that the cache sees; an unsafe method is never answered from the store.
        let isSafe = [.get, .head, .options, .trace, .query].contains(method)
        return ProxyFields.contains(name) || (isSafe && ProxyFields.replacesMethod(name))
    }

    /// Whether a field is about the connection or the framing, so that it is never forwarded.
    static func isOfConnection(_ name: HTTPField.Name) -> Bool {
        name == .host || name == .contentLength || hopByHop.contains(name)
    }

    /// Returns the fields of a response that are forwarded, without `Content-Length`, which belongs to the framing.
    static func of(response fields: HTTPFields) -> HTTPFields {
        let listed = fields.connectionOptions
        return fields.filter { field in
            let name = field.name
            return name != .contentLength && !hopByHop.contains(name) && !listed.contains(name)
        }
    }
}
