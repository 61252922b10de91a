extension ValueMatch {
    /// The expected value, as a problem names it.
    public var expectation: String {
        switch self {
        case .equals(let text): Self.quoted(text)
        case .contains(let text): "text that contains \(Self.quoted(text))"
        case .matches(let pattern): "text that matches \(pattern.text)"
        case .present: "any value"
        case .absent: "none"
        case .not(let other): "not \(other.expectation)"
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}

extension PathPattern: CustomStringConvertible {
    /// The pattern as a route writes it.
    public var description: String {
        switch self {
        case .any: "*"
        case .exact(let path): path
        case .prefix(let prefix): prefix + "*"
        case .template(let template): template.description
        }
    }
}

extension PathTemplate: CustomStringConvertible {
    /// The template as a route writes it.
    public var description: String {
        let parts = segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .parameter(let name?, let prefix, let suffix): "\(prefix){\(name)}\(suffix)"
            case .parameter(nil, _, _): "*"
            }
        }
        return "/" + (parts + (hasRest ? ["**"] : [])).joined(separator: "/")
    }
}
