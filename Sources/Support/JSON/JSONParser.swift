/// Builds a result from the values that a parser reads: one call for each value, inner values first.
public protocol JSONForm {
    /// The result of a value.
    associatedtype Value
    /// The result of a member of an object.
    associatedtype Member

    /// Converts `null`, `true` or `false`.
    func word(_ word: JSONWord, at place: JSONPosition) -> Value
    /// Converts a number.
    func number(_ number: JSONNumber, at place: JSONPosition) -> Value
    /// Converts a string.
    func string(_ text: String, at place: JSONPosition) -> Value
    /// Converts an array.
    func array(_ elements: [Value], at place: JSONPosition) -> Value
    /// Converts a member; `place` is the position of its name.
    func member(_ name: String, _ value: Value, at place: JSONPosition) -> Member
    /// Converts an object.
    func object(_ members: [Member], at place: JSONPosition) -> Value
    /// Throws if the name may not follow the members before it; `place` is the position of the name.
    func check(_ name: String, after members: [Member], at place: JSONPosition) throws(JSONProblem)
}

/// A literal name (RFC 8259 §3).
public enum JSONWord: String, Sendable, CaseIterable {
    /// `null`.
    case null
    /// `true`.
    case `true`
    /// `false`.
    case `false`
}

/// Limits on a JSON text.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum nesting depth of arrays and objects; default 512.
    public var depth: Int
    /// The maximum number of values, including nested ones; default unlimited.
    public var values: Int

    /// The default nesting depth, 512: more than legitimate texts use.
    public static let usualDepth = 512

    /// Creates limits.
    public init(depth: Int = JSONLimits.usualDepth, values: Int = .max) {
        self.depth = depth
        self.values = values
    }
}

/// A parser of JSON texts (RFC 8259) in UTF-8, with or without byte order mark, that reports the position of each value.
///
/// An unpaired surrogate becomes U+FFFD, as in browsers.
public struct JSONParser<Form: JSONForm> {
    private let form: Form
    private let limits: JSONLimits
    private var cursor: JSONCursor
    private var depth = 0
    private var remainingValues: Int

    /// Creates a parser of one text.
    public init(_ bytes: [UInt8], form: Form, limits: JSONLimits = JSONLimits()) {
        self.form = form
        self.limits = limits
        cursor = JSONCursor(bytes)
        remainingValues = limits.values
    }

    /// Parses the whole text; throws its first syntax error.
    public mutating func parse() throws(JSONProblem) -> Form.Value {
        let value = try parseValue()
        cursor.skipBlanks()
        guard cursor.next == nil else { throw cursor.unexpected("the end of the file") }
        return value
    }

    private mutating func parseValue() throws(JSONProblem) -> Form.Value {
        cursor.skipBlanks()
        let start = cursor.place
        remainingValues -= 1
        if remainingValues < 0 {
            throw JSONProblem(
                at: start,
                found: "more than \(limits.values) values",
                expected: "a smaller file"
            )
        }
        switch cursor.next {
        case UInt8(ascii: "{"):
            try open(at: start)
            let members = try parseMembers()
            depth -= 1
            return form.object(members, at: start)
        case UInt8(ascii: "["):
            try open(at: start)
            let elements = try parseElements()
            depth -= 1
            return form.array(elements, at: start)
        case UInt8(ascii: "\""): return form.string(try cursor.takeString(), at: start)
        default: return try parseWord(at: start)
        }
    }

    private mutating func open(at place: JSONPosition) throws(JSONProblem) {
        depth += 1
        guard depth <= limits.depth else {
            throw JSONProblem(
                at: place,
                found: "lists and maps nested deeper than \(limits.depth)",
                expected: "a flatter file"
            )
        }
        cursor.advance()
    }

    private mutating func parseElements() throws(JSONProblem) -> [Form.Value] {
        var elements: [Form.Value] = []
        if cursor.take("]") { return elements }
        while true {
            elements.append(try parseValue())
            if cursor.take("]") { return elements }
            guard cursor.take(",") else { throw cursor.unexpected("\",\" or \"]\"") }
        }
    }

    private mutating func parseMembers() throws(JSONProblem) -> [Form.Member] {
        var members: [Form.Member] = []
        if cursor.take("}") { return members }
        while true {
            members.append(try parseMember(after: members))
            if cursor.take("}") { return members }
            guard cursor.take(",") else { throw cursor.unexpected("\",\" or \"}\"") }
        }
    }

    private mutating func parseMember(after members: [Form.Member]) throws(JSONProblem) -> Form.Member {
        cursor.skipBlanks()
        let start = cursor.place
        guard cursor.next == UInt8(ascii: "\"") else { throw cursor.unexpected("a key in quotation marks") }
        let name = try cursor.takeString()
        try form.check(name, after: members, at: start)
        guard cursor.take(":") else { throw cursor.unexpected("\":\"") }
        return form.member(name, try parseValue(), at: start)
    }

    private mutating func parseWord(at start: JSONPosition) throws(JSONProblem) -> Form.Value {
        let bytes = cursor.takeWord()
        let text = String(decoding: bytes, as: UTF8.self)
        if let word = JSONWord(rawValue: text) { return form.word(word, at: start) }
        if JSONNumber.isNumber(bytes) { return form.number(JSONNumber(wellFormed: text), at: start) }
        if text.isEmpty { throw cursor.unexpected("a value") }
        throw JSONProblem(at: start, found: "\"\(text.prefix(60))\"", expected: "a JSON value")
    }
}
