internal import HTTPTypes

extension HTTPResponse.Status {
    /// Whether a cache may give it heuristic freshness (RFC 9110 §15.1); 206 is left out, since it is not stored.
    var isHeuristicallyCacheable: Bool {
        switch code {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether the cache keeps what the status code asks of caches (RFC 9111 §5.2.2.3): all that RFC 9110 defines
    /// but 206 and 304, whose handling is not storing.
    var isUnderstood: Bool {
        switch code {
        case 200...205, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    /// Whether a cache must not store it whatever its fields say (RFC 6585 §3–6).
    var isNeverStored: Bool {
        switch code {
        case 428, 429, 431, 511: true
        default: false
        }
    }

    /// Whether it is an error in the sense of RFC 5861 §4.
    var isStaleIfError: Bool {
        switch code {
        case 500, 502, 503, 504: true
        default: false
        }
    }

    /// Whether the status is of the 2xx or 3xx class.
    var isNonError: Bool { (200...399).contains(code) }
}

extension HTTPRequest.Method {
    /// What RFC 9110 §9.2.1 and the method registry say of a method.
    enum Safety {
        case safe, unsafe, unknown
    }

    var safety: Safety {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "REPORT", "SEARCH": .safe
        case "POST", "PUT", "DELETE", "PATCH", "CONNECT": .unsafe
        default: .unknown
        }
    }

    /// Whether a stored response may answer it; QUERY only where its content is part of the key.
    var isAnsweredFromStore: Bool { self == .get || self == .head }
}

extension HTTPRequest {
    /// The method of the stored responses that may answer it: QUERY has its own, all others those to GET.
    var storedMethod: Method { method == .query ? .query : .get }
}
