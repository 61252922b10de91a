/// Converts a node to a value; `nil` means that a problem was reported.
public struct Reader<Value> {
    /// Converts the node.
    public let read: (YAMLNode, ProblemCollector) -> Value?

    /// Creates a reader from a function that reports its own problems.
    @inlinable
    public init(_ read: @escaping (YAMLNode, ProblemCollector) -> Value?) {
        self.read = read
    }

    /// Creates a reader of scalars that reports `expected` if `convert` returns `nil`.
    @inlinable
    public init(expected: String, _ convert: @escaping (YAMLScalar) -> Value?) {
        read = { node, problems in
            if case .scalar(let scalar) = node.content, !scalar.isNull, let value = convert(scalar) {
                return value
            }
            problems.add(node, expected: expected)
            return nil
        }
    }

    /// Returns a reader that transforms the values of this one.
    @inlinable
    public func map<Other>(_ transform: @escaping (Value) -> Other) -> Reader<Other> {
        Reader<Other> { node, problems in read(node, problems).map(transform) }
    }

    /// Returns a reader that rejects values which do not meet a condition.
    @inlinable
    public func when(_ condition: @escaping (Value) -> Bool, expected: String) -> Reader {
        Reader { node, problems in
            guard let value = read(node, problems) else { return nil }
            if condition(value) { return value }
            problems.add(node, expected: expected)
            return nil
        }
    }

    /// Returns a reader of a list of such values.
    @inlinable
    public func list() -> Reader<[Value]> {
        Reader<[Value]> { node, problems in
            guard let nodes = node.elements else {
                problems.add(node, expected: "a list")
                return nil
            }
            return nodes.compactMap { read($0, problems) }
        }
    }

    /// Returns a reader of one such value or a list of them.
    @inlinable
    public func oneOrMore() -> Reader<[Value]> {
        Reader<[Value]> { node, problems in
            guard let nodes = node.elements else { return read(node, problems).map { [$0] } }
            if nodes.isEmpty {
                problems.add(at: node.position, found: "an empty list", expected: "at least one")
            }
            return nodes.compactMap { read($0, problems) }
        }
    }

    /// Returns a reader that adds the position.
    @inlinable
    public func located() -> Reader<Located<Value>> where Value: Sendable {
        Reader<Located<Value>> { node, problems in
            read(node, problems).map { Located($0, at: node.position) }
        }
    }
}

extension Reader where Value == String {
    /// Any scalar but null.
    @inlinable
    public static var text: Reader { Reader(expected: "text") { $0.text } }

    /// A scalar in quotes, which in JSON is a string and no number, truth value or null.
    public static var quotedText: Reader { Reader(expected: "text in quotes") { $0.isPlain ? nil : $0.text } }

    /// Returns a reader of one of `words`.
    public static func word(of words: [String]) -> Reader {
        Reader { node, problems in
            if let text = node.scalarText, words.contains(text) { return text }
            let expected = node.scalarText.map { NearestKey.expected(for: $0, among: words) }
            problems.add(node, expected: expected ?? NearestKey.alternatives(words))
            return nil
        }
    }
}

extension Reader where Value == Bool {
    /// `true` or `false`, without quotes.
    public static var bool: Reader {
        Reader(expected: "true or false") { scalar in
            switch (scalar.isPlain, scalar.text) {
            case (true, "true"): true
            case (true, "false"): false
            default: nil
            }
        }
    }
}

extension Reader where Value == Int {
    /// Returns a reader of an integer within limits.
    public static func integer(in range: ClosedRange<Int> = .min ... .max) -> Reader {
        Reader(expected: expectation(of: range)) { scalar in
            guard scalar.isPlain, let number = Int(scalar.text), range.contains(number) else { return nil }
            return number
        }
    }

    private static func expectation(of range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "a whole number"
        case (let low, .max): "a whole number, at least \(low)"
        case (let low, let high): "a whole number from \(low) to \(high)"
        }
    }
}

extension Reader where Value == Double {
    /// A decimal number without exponent.
    public static var number: Reader {
        Reader(expected: "a number") { scalar in
            let isDecimal = scalar.text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 46 }
            return scalar.isPlain && isDecimal ? Double(scalar.text) : nil
        }
    }
}

extension Reader where Value: RawRepresentable<String> & Sendable {
    /// Returns a reader of one of these values, by its raw value.
    @inlinable
    public static func choice(of values: [Value]) -> Reader {
        Reader { node, problems in
            if let value = values.first(where: { $0.rawValue == node.scalarText }) { return value }
            _ = Reader<String>.word(of: values.map(\.rawValue)).read(node, problems)
            return nil
        }
    }
}

extension Reader where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the cases by its raw value.
    @inlinable
    public static var choice: Reader { choice(of: Array(Value.allCases)) }
}
