/// Where in a JSON text values stand: `$.user.name`, `$.items[0].id`, `$.items[*]`, `$['a key']`.
public struct JSONPath: Sendable, Hashable {
    /// One step down.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Step: Sendable, Hashable {
        /// The member of an object.
        case member(String)
        /// The element of an array, from 0.
        case element(Int)
        /// Every member or element.
        case every
    }
    /// The steps from the whole text down; empty is the whole.
    public let steps: [Step]

    /// Reads a path; `nil` for one that is malformed.
    public init?(_ text: some StringProtocol) {
        guard text.first == "$" else { return nil }
        var steps: [Step] = []
        var rest = Substring(text.dropFirst())
        while !rest.isEmpty {
            guard let step = Self.step(&rest) else { return nil }
            steps.append(step)
        }
        guard steps.count <= 64 else { return nil }
        self.steps = steps
    }

    /// The path as a route writes it.
    public var text: String {
        steps.reduce("$") { text, step in
            switch step {
            case .member(let name): text + "['\(name)']"
            case .element(let index): text + "[\(index)]"
            case .every: text + "[*]"
            }
        }
    }

    private static func step(_ rest: inout Substring) -> Step? {
        switch rest.popFirst() {
        case ".":
            let name = rest.prefix { $0 != "." && $0 != "[" }
            rest = rest.dropFirst(name.count)
            if name.isEmpty { return nil }
            return name == "*" ? .every : .member(String(name))
        case "[":
            guard let end = rest.firstIndex(of: "]") else { return nil }
            let inside = rest[..<end]
            rest = rest[rest.index(after: end)...]
            return bracketed(inside)
        default: return nil
        }
    }

    private static func bracketed(_ text: Substring) -> Step? {
        if text == "*" { return .every }
        if let quote = text.first, quote == "'" || quote == "\"" {
            guard text.count >= 2, text.last == quote else { return nil }
            return .member(String(text.dropFirst().dropLast()))
        }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text).map { .element($0) }
    }
}
