public import HTTPTypes

extension HTTPResponse.Status {
    /// Whether RFC 9110 §15.1 lists the code as heuristically cacheable.
    var isHeuristicallyCacheable: Bool {
        switch code {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether the cache understands the status code (RFC 9111 §5.2.2.3): all that RFC 9110 defines except 304, which is
    /// never stored.
    var isUnderstood: Bool {
        switch code {
        case 200...206, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    /// Whether a cache must not store it, regardless of its fields (RFC 6585 §3–6).
    var isNeverStored: Bool {
        switch code {
        case 428, 429, 431, 511: true
        default: false
        }
    }

    /// Whether it is an error in the sense of RFC 5861 §4.
    ///
    /// RFC 9110 §15: an unregistered 5xx code and a code above 599 are processed as 500.
    var isStaleIfError: Bool {
        switch code {
        case 500, 502, 503, 504: true
        case 500...: !isRegistered
        default: false
        }
    }

    /// Whether the code is in the IANA registry.
    public var isRegistered: Bool {
        switch code {
        case 100...104, 200...208, 226, 300...308, 400...418, 421...426, 428, 429, 431, 451,
            500...508, 510, 511:
            true
        default: false
        }
    }

    /// Whether the code is one of HTTP's, 100 to 599 (RFC 9110 §15).
    public var isValid: Bool { (100...599).contains(code) }

    /// Whether the status is of the 2xx or 3xx class.
    var isNonError: Bool { (200...399).contains(code) }
}

extension HTTPRequest.Method {
    /// The properties of methods in RFC 9110 §9.2.1 and the method registry.
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

    /// Whether the method is known to be safe (RFC 9110 §9.2.1), so that no response to it invalidates anything.
    public var isKnownToBeSafe: Bool { safety == .safe }

    /// Whether a stored response may answer it; QUERY only if its content is part of the key.
    var isAnsweredFromStore: Bool { self == .get || self == .head }
}

extension HTTPRequest.Method {
    /// Whether range requests are defined for it (RFC 9110 §14.2, RFC 10008 §2.8).
    var hasRanges: Bool { self == .get || self == .query }
}

extension HTTPRequest {
    /// The method of the stored responses that may answer it: QUERY for QUERY, GET for all others.
    var storedMethod: Method {
        // The usual method first, because comparing equal ones is fastest.
        method == .get || method != .query ? .get : .query
    }
}
