internal import HTTPTypes

/// What the engine asks of a request's fields, read in one pass.
struct RequestReading {
    private(set) var cacheControl = RequestCacheControl()
    private(set) var hasAuthorization = false
    private(set) var hasRange = false
    private(set) var hasPrecondition = false
    /// Whether `no-cache` comes from `Pragma` (§5.4).
    private(set) var usesPragma = false

    init(_ fields: HTTPFields) {
        var controlLines: [String] = []
        var pragmaLines: [String] = []
        for field in fields {
            let name = field.name.canonicalName
            // The length tells most names apart without comparing them.
            switch name.utf8.count {
            case 5 where name == "range": hasRange = true
            case 6 where name == "pragma": pragmaLines.append(field.value)
            case 13 where name == "cache-control": controlLines.append(field.value)
            case 13 where name == "authorization": hasAuthorization = true
            case 8, 13, 17, 19: if Self.isPrecondition(field.name) { hasPrecondition = true }
            default: break
            }
        }
        if !controlLines.isEmpty {
            cacheControl = RequestCacheControl(controlLines)
        } else if !pragmaLines.isEmpty {
            for line in pragmaLines {
                Directive.forEach(in: line) { if $0.name == "no-cache" { usesPragma = true } }
            }
            cacheControl.noCache = usesPragma
        }
    }

    private static func isPrecondition(_ name: HTTPField.Name) -> Bool {
        switch name {
        case .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange: true
        default: false
        }
    }
}
