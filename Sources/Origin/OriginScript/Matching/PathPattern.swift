package import LocatedYAML

/// Which paths a route matches.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PathPattern: Sendable, Hashable {
    /// Every path.
    case any
    /// This path.
    case exact(String)
    /// Every path that begins so.
    case prefix(String)
    /// Paths of such segments.
    case template(PathTemplate)
}

/// A path whose segments may be parameters: `/users/{id}`, `/img-{name}.png`, `/assets/**`.
public struct PathTemplate: Sendable, Hashable {
    /// One segment.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Segment: Sendable, Hashable {
        /// This text, decoded.
        case literal(String)
        /// Any text that is not empty, between two texts; without a name it is not kept.
        case parameter(name: String?, prefix: String, suffix: String)
    }
    /// The segments between the slashes.
    public let segments: [Segment]
    /// Whether further segments may follow; they are the parameter `rest`.
    public let hasRest: Bool

    /// Reads a path with `{name}` and `*` in segments and `**` at the end; `nil` if one of them is elsewhere.
    public init?(_ text: String) {
        guard text.hasPrefix("/") else { return nil }
        var parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        hasRest = parts.last == "**"
        if hasRest { parts.removeLast() }
        segments = parts.compactMap(Self.segment)
        guard segments.count == parts.count else { return nil }
        let names = segments.compactMap { segment -> String? in
            if case .parameter(let name, _, _) = segment { name } else { nil }
        }
        guard Set(names).count == names.count, !(hasRest && names.contains("rest")) else { return nil }
    }

    private static func segment(_ text: Substring) -> Segment? {
        if text == "*" { return .parameter(name: nil, prefix: "", suffix: "") }
        guard let open = text.firstIndex(of: "{") else {
            return text.contains("}") || text.contains("*") ? nil : .literal(String(text))
        }
        guard let close = text.firstIndex(of: "}"), close > open else { return nil }
        let name = text[text.index(after: open)..<close]
        let (prefix, suffix) = (text[..<open], text[text.index(after: close)...])
        let isName = !name.isEmpty && name.utf8.allSatisfy(isNameByte)
        guard isName, !(prefix + suffix).contains(where: { "{}*".contains($0) }) else { return nil }
        return .parameter(name: String(name), prefix: String(prefix), suffix: String(suffix))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
            || byte == 95
    }

    /// Returns the parameters of a path given as its decoded segments; `nil` if it does not match.
    public func parameters(of path: [String]) -> [String: String]? {
        guard hasRest ? path.count > segments.count : path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let literal): if literal != text { return nil }
            case .parameter(let name, let prefix, let suffix):
                guard let value = Self.value(of: text, prefix, suffix) else { return nil }
                if let name { parameters[name] = value }
            }
        }
        if hasRest { parameters["rest"] = path[segments.count...].joined(separator: "/") }
        return parameters
    }

    /// Returns the text between two texts; `nil` if one is missing or nothing is between them.
    public static func value(of text: String, _ prefix: String, _ suffix: String) -> String? {
        guard text.hasPrefix(prefix), text.hasSuffix(suffix),
            text.utf8.count > prefix.utf8.count + suffix.utf8.count
        else { return nil }
        return String(text.dropFirst(prefix.count).dropLast(suffix.count))
    }
}

/// The keys of a path that is not a pattern.
enum PathKey: String, MapKey {
    case exact
    static let mapName = "a path"
}

extension PathPattern {
    /// A reader of `*` alone, an exact path, a prefix that ends in `*`, a path with `{name}`, `*` or `**` as segments, or
    /// a map with `exact`, in whose path these are literal.
    package static var reader: Reader<PathPattern> {
        Reader { node, problems in
            if node.scalarText == "*" { return .any }
            if node.pairs != nil {
                let map = MapReader<PathKey>(node, problems)
                return map?.required(.exact, Reader.path).map { .exact($0) }
            }
            guard let path = Reader.path.read(node, problems) else { return nil }
            if let pattern = pattern(path) { return pattern }
            let expected = "one {name} or * in a segment, each name once, and ** or * only at the end"
            problems.add(node, expected: expected)
            return nil
        }
    }

    static func pattern(_ path: String) -> PathPattern? {
        let isTemplate =
            path.contains { $0 == "{" || $0 == "}" } || path.hasSuffix("/**") || path.contains("*/")
        if isTemplate { return PathTemplate(path).map { .template($0) } }
        return path.hasSuffix("*") ? .prefix(String(path.dropLast())) : .exact(path)
    }
}
