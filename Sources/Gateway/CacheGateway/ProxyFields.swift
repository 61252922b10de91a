import HTTPTypes

/// The request fields that a reverse proxy does not forward.
///
/// In most of them proxies describe the original request, and an origin trusts them: a caller that sends one changes the
/// origin's response, and through the store what others get, because the cache key does not contain them.
enum ProxyFields {
    /// Whether a name is one of these fields, or one that an origin may treat as another field.
    ///
    /// CGI, WSGI and PHP treat `_` like `-` (RFC 3875 §4.1.18), and some CGI servers every character other than a letter
    /// or a digit. They would treat `Accept_Language` as the field that Vary names, and `Content_Length` as the framing.
    static func contains(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
            || !name.utf8.allSatisfy(isUnambiguous)
    }

    /// Whether a name is a field that replaces the method of the request.
    static func replacesMethod(_ name: HTTPField.Name) -> Bool { methods.contains(name.canonicalName) }

    /// Whether no origin takes a byte of a name for another: a digit, a letter or a hyphen; canonical names are in lower case.
    private static func isUnambiguous(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static let prefixes = [
        "x-forwarded-", "x-original-", "x-rewrite-", "cf-connecting-", "x-envoy-", "x-arr-", "x-azure-",
        "x-appengine-", "x-invoke-", "x-middleware-", "x-nextjs-", "forwarded-",
    ]
    private static let names: Set<String> = [
        // The request as sent to the proxy.
        "forwarded", "x-forwarded", "x-host", "x-http-host-override", "x-backend-host", "x-server-name",
        "x-base-url", "x-request-uri", "x-proxy-url", "x-script-name", "x-override-url", "request-uri",
        "x-host-override", "x-amz-website-redirect-location", "x-http-destinationurl", "base-url",
        // The scheme and the port.
        "front-end-https", "x-scheme", "x-url-scheme", "x-proto", "x-protocol", "x-https", "x-ssl", "x-port",
        "x-server-port", "cf-visitor", "fastly-ssl", "cloudfront-forwarded-proto",
        // The client.
        "client-ip", "x-client-ip", "x-cluster-client-ip", "x-real-ip", "x-real-port", "x-remote-ip",
        "x-remote-addr", "x-originating-ip", "x-proxyuser-ip", "x-true-client-ip", "true-client-ip",
        "fastly-client-ip", "fastly-client", "cf-pseudo-ipv4", "cf-ipcountry", "cloudfront-viewer-address",
        "x-custom-ip-authorization", "x-coming-from", "wl-proxy-client-ip", "proxy-client-ip",
        "x-forward-for",
        // A field that CGI turns into a setting of its client library.
        "proxy",
    ]
    private static let methods: Set<String> = [
        "x-http-method", "x-http-method-override", "x-method-override",
    ]
}
