/// An element of a pattern.
indirect enum PatternTree {
    case one(ScalarSet)
    case sequence([PatternTree])
    case alternatives([PatternTree])
    case repeated(PatternTree, least: Int, most: Int?)
}

/// Reads the text of a `TextPattern`.
struct PatternParser {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        rest = text[...].unicodeScalars
    }

    /// Returns the tree of the whole text; `nil` when it is malformed.
    mutating func parse() -> PatternTree? {
        guard let tree = alternatives(depth: 0), rest.isEmpty else { return nil }
        return tree
    }

    private mutating func alternatives(depth: Int) -> PatternTree? {
        // Deep nesting would exhaust the stack.
        guard depth < 32 else { return nil }
        var parts: [PatternTree] = []
        repeat {
            guard let part = sequence(depth: depth) else { return nil }
            parts.append(part)
        } while take("|")
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    private mutating func sequence(depth: Int) -> PatternTree? {
        var parts: [PatternTree] = []
        while let next = rest.first, next != "|", next != ")" {
            guard let atom = atom(depth: depth), let part = repetition(of: atom) else { return nil }
            parts.append(part)
        }
        return .sequence(parts)
    }

    private mutating func atom(depth: Int) -> PatternTree? {
        guard let scalar = rest.popFirst() else { return nil }
        switch scalar {
        case "(":
            guard rest.first != "?", let inner = alternatives(depth: depth + 1), take(")") else { return nil }
            return inner
        case "[": return set().map { .one($0) }
        case ".": return .one(.any)
        case "\\": return rest.popFirst().flatMap(ScalarSet.escaped).map { .one($0) }
        // The whole text is compared, so that anchors would have no effect, and these must follow something.
        case "^", "$", "*", "+", "?", "{", "}", "]": return nil
        default: return .one(.one(scalar))
        }
    }

    private mutating func repetition(of atom: PatternTree) -> PatternTree? {
        switch rest.first {
        case "*": return counted(atom, 0, nil)
        case "+": return counted(atom, 1, nil)
        case "?": return counted(atom, 0, 1)
        case "{": return bounds().map { .repeated(atom, least: $0.least, most: $0.most) }
        default: return atom
        }
    }

    /// Reads `{least}`, `{least,}` or `{least,most}`.
    private mutating func bounds() -> (least: Int, most: Int?)? {
        rest.removeFirst()
        guard let least = number() else { return nil }
        if take("}") { return (least, least) }
        guard take(",") else { return nil }
        if take("}") { return (least, nil) }
        guard let most = number(), most >= least, take("}") else { return nil }
        return (least, most)
    }

    private mutating func counted(_ atom: PatternTree, _ least: Int, _ most: Int?) -> PatternTree? {
        rest.removeFirst()
        // `a**` and `a+?` mean something else elsewhere.
        if let next = rest.first, "*+?{".unicodeScalars.contains(next) { return nil }
        return .repeated(atom, least: least, most: most)
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return Int(String(digits)).flatMap { $0 <= 100 ? $0 : nil }
    }

    private mutating func set() -> ScalarSet? {
        var set = ScalarSet()
        if take("^") { set.isInverted = true }
        while let scalar = rest.popFirst() {
            if scalar == "]" { return set.ranges.isEmpty ? nil : set }
            guard let member = member(scalar) else { return nil }
            guard rest.first == "-", rest.dropFirst().first != "]" else {
                set.ranges += member.ranges
                continue
            }
            guard let range = range(from: member) else { return nil }
            set.ranges.append(range)
        }
        return nil
    }

    /// Reads `-` and the end of a range.
    private mutating func range(from start: ScalarSet) -> ClosedRange<UInt32>? {
        rest.removeFirst()
        guard let end = rest.popFirst().flatMap({ self.member($0) }), let low = single(start),
            let high = single(end), low <= high
        else { return nil }
        return low...high
    }

    private mutating func member(_ scalar: Unicode.Scalar) -> ScalarSet? {
        switch scalar {
        case "\\": rest.popFirst().flatMap(ScalarSet.escaped)
        case "[": nil
        default: .one(scalar)
        }
    }

    private func single(_ set: ScalarSet) -> UInt32? {
        guard set.ranges.count == 1, set.ranges[0].count == 1 else { return nil }
        return set.ranges[0].lowerBound
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }
}
