public import HTTPTypes

/// The values of a request's fields that the engine needs, parsed in one pass.
struct RequestMetadata {
    private(set) var cacheControl = RequestCacheControl()
    private(set) var hasAuthorization = false
    private(set) var hasRange = false
    /// Whether there is `If-None-Match` or `If-Modified-Since`, which a cache evaluates (RFC 9111 §4.3.2).
    private(set) var hasPrecondition = false
    /// Whether there is `If-Match` or `If-Unmodified-Since`, which only the origin does.
    private(set) var hasOriginCondition = false
    private(set) var hasRangeCondition = false
    /// Whether `no-cache` comes from `Pragma` (§5.4).
    private(set) var usesPragma = false

    init(_ fields: HTTPFields) {
        var hasCacheControl = false
        var hasPragma = false
        for field in fields {
            let name = field.name.canonicalName
            // Switching on the length avoids most comparisons of names.
            switch name.utf8.count {
            case 5 where name == "range": hasRange = true
            case 6 where name == "pragma": hasPragma = true
            case 13 where name == "cache-control": hasCacheControl = true
            case 13 where name == "authorization": hasAuthorization = true
            case 8, 13, 17, 19: noteCondition(name)
            default: break
            }
        }
        if hasCacheControl {
            cacheControl = RequestCacheControl(fields[values: .cacheControl])
        } else if hasPragma {
            for line in fields[values: .pragma] {
                Directive.forEach(in: line) { if $0.name == "no-cache" { usesPragma = true } }
            }
            cacheControl.noCache = usesPragma
        }
    }

    /// Whether a 206, a 304 or a 416 may answer the request.
    var isSelective: Bool { hasRange || hasPrecondition }

    /// Whether there are no preconditions, no ranges and no `only-if-cached`.
    var isPlain: Bool { !isSelective && !hasOriginCondition && !cacheControl.onlyIfCached }

    private mutating func noteCondition(_ name: String) {
        switch name {
        case "if-match", "if-unmodified-since": hasOriginCondition = true
        case "if-none-match", "if-modified-since": hasPrecondition = true
        case "if-range": hasRangeCondition = true
        default: break
        }
    }
}

extension HTTPRequest {
    /// Whether it forbids using a stored response or storing its own (RFC 9111 §5.2.1.4, §5.2.1.5).
    public var insistsOnOrigin: Bool {
        let control = RequestMetadata(headerFields).cacheControl
        return control.noCache || control.noStore
    }
}
