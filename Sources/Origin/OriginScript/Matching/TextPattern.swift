/// A regular expression of a small kind that is compared with a whole text in linear time.
///
/// Known are: characters as they stand, `.` for any one, `[a-z_]` and `[^…]`, `\d`, `\w`, `\s`, a backslash before any
/// other character for that character, `( )`, `|`, and `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}` with numbers up to 100.
/// There are no captures, references or assertions, so that no pattern takes long over any text.
public struct TextPattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as it was written.
    public let text: String
    private let program: [PatternStep]

    /// Reads a pattern; `nil` for one that is malformed or expands to more than 10,000 steps.
    public init?(_ text: String) {
        var parser = PatternParser(text)
        guard let tree = parser.parse() else { return nil }
        var compiler = PatternCompiler()
        guard compiler.emit(tree), compiler.append(.accept) else { return nil }
        self.text = text
        program = compiler.program
    }

    /// The pattern as it was written.
    public var description: String { text }

    /// Whether two patterns are written alike.
    public static func == (left: TextPattern, right: TextPattern) -> Bool { left.text == right.text }

    /// Feeds the pattern as it was written.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Returns whether the whole of a text matches; takes time in proportion to its length.
    public func matches(_ text: some StringProtocol) -> Bool {
        var current = StepSet(count: program.count)
        follow(0, into: &current)
        for scalar in text.unicodeScalars {
            var next = StepSet(count: program.count)
            for index in current.places {
                if case .take(let set) = program[index], set.contains(scalar) {
                    follow(index + 1, into: &next)
                }
            }
            if next.places.isEmpty { return false }
            current = next
        }
        return current.places.contains { program[$0] == .accept }
    }

    /// Adds a step and all that are reached from it without taking a character.
    private func follow(_ start: Int, into set: inout StepSet) {
        var open = [start]
        while let index = open.popLast() {
            guard set.insert(index) else { continue }
            switch program[index] {
            case .jump(let target): open.append(target)
            case .split(let first, let second): open += [second, first]
            case .take, .accept: break
            }
        }
    }
}

/// The steps that a match has reached, each once.
private struct StepSet {
    private(set) var places: [Int] = []
    private var known: [Bool]

    init(count: Int) { known = Array(repeating: false, count: count) }

    mutating func insert(_ place: Int) -> Bool {
        if known[place] { return false }
        known[place] = true
        places.append(place)
        return true
    }
}

/// One step of a compiled pattern.
enum PatternStep: Sendable, Hashable {
    case take(ScalarSet)
    case jump(Int)
    case split(Int, Int)
    case accept
}

/// A set of characters as ranges, or all but those.
struct ScalarSet: Sendable, Hashable {
    var ranges: [ClosedRange<UInt32>] = []
    var isInverted = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } != isInverted
    }

    static func one(_ scalar: Unicode.Scalar) -> ScalarSet {
        ScalarSet(ranges: [scalar.value...scalar.value])
    }

    static let any = ScalarSet(isInverted: true)

    /// Returns the set of `\d`, `\w`, `\s`; `nil` for any other letter or digit, whose meaning elsewhere would surprise.
    static func escaped(_ scalar: Unicode.Scalar) -> ScalarSet? {
        switch scalar {
        case "d": ScalarSet(ranges: [0x30...0x39])
        case "w": ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
        case "s": ScalarSet(ranges: [0x09...0x0D, 0x20...0x20])
        case "a"..."z", "A"..."Z", "0"..."9": nil
        default: one(scalar)
        }
    }
}

/// Turns a pattern's tree into steps.
private struct PatternCompiler {
    private(set) var program: [PatternStep] = []

    mutating func append(_ step: PatternStep) -> Bool {
        program.append(step)
        return program.count <= 10_000
    }

    /// Emits the steps of a tree; false when there are too many.
    mutating func emit(_ tree: PatternTree) -> Bool {
        switch tree {
        case .one(let set): return append(.take(set))
        case .sequence(let parts): return parts.allSatisfy { emit($0) }
        case .alternatives(let parts): return emitAlternatives(parts)
        case .repeated(let part, let least, let most): return emitRepeated(part, least, most)
        }
    }

    private mutating func emitAlternatives(_ parts: [PatternTree]) -> Bool {
        var exits: [Int] = []
        for (index, part) in parts.enumerated() {
            let fork = program.count
            let isLast = index == parts.count - 1
            if !isLast, !append(.split(fork + 1, 0)) { return false }
            guard emit(part) else { return false }
            if isLast { break }
            exits.append(program.count)
            guard append(.jump(0)) else { return false }
            program[fork] = .split(fork + 1, program.count)
        }
        for exit in exits { program[exit] = .jump(program.count) }
        return true
    }

    private mutating func emitLoop(_ part: PatternTree) -> Bool {
        let fork = program.count
        guard append(.split(fork + 1, 0)), emit(part), append(.jump(fork)) else { return false }
        program[fork] = .split(fork + 1, program.count)
        return true
    }

    private mutating func emitRepeated(_ part: PatternTree, _ least: Int, _ most: Int?) -> Bool {
        for _ in 0..<least where !emit(part) { return false }
        guard let most else { return emitLoop(part) }
        var forks: [Int] = []
        for _ in least..<max(most, least) {
            forks.append(program.count)
            guard append(.split(program.count + 1, 0)), emit(part) else { return false }
        }
        for fork in forks { program[fork] = .split(fork + 1, program.count) }
        return true
    }
}
