public import CacheSemantics
public import HTTPTypes

/// A case at a certain time, in one of its equivalent forms.
public struct RenderedCase: Sendable {
    /// The case.
    public let exchange: ExchangeCase
    /// The time at which it begins.
    public let start: HTTPDate
    /// The lines of the first request, its answer, the second request and the reply.
    public let first, answer, second, reply: [(name: String, value: String)]

    /// 2026-01-01T00:00:00Z.
    public static let usualStart: Int64 = 1_767_225_600

    /// Renders a case in its plain form.
    public init(_ exchange: ExchangeCase) {
        self.init(exchange, start: HTTPDate(secondsSinceEpoch: Self.usualStart)) { $0 }
    }

    /// Renders a case with a transformation, whose choices depend on a seed.
    public init(_ exchange: ExchangeCase, _ transformation: Transformation, seed: UInt64) {
        var numbers = SeededNumbers(seed: seed ^ 0xABCD_EF01)
        let shift = transformation.shift(&numbers)
        self.init(exchange, start: HTTPDate(secondsSinceEpoch: Self.usualStart + shift)) { lines in
            transformation.apply(lines, &numbers)
        }
    }

    /// Returns the case with the fields of each message replaced, as a defective parser would see it.
    public func misread(
        _ change: ([(name: String, value: String)]) -> [(name: String, value: String)]
    ) -> RenderedCase {
        RenderedCase(self, change)
    }

    private init(
        _ read: RenderedCase,
        _ change: ([(name: String, value: String)]) -> [(name: String, value: String)]
    ) {
        exchange = read.exchange
        start = read.start
        first = change(read.first)
        answer = change(read.answer)
        second = change(read.second)
        reply = change(read.reply)
    }

    private init(
        _ exchange: ExchangeCase,
        start: HTTPDate,
        _ change: ([(name: String, value: String)]) -> [(name: String, value: String)]
    ) {
        self.exchange = exchange
        self.start = start
        first = change(exchange.first.lines(at: start))
        answer = change(exchange.answer.lines(at: start))
        second = change(exchange.second.lines(at: start))
        reply = change(exchange.reply?.lines(at: start) ?? [])
    }
}

extension ExchangeCase.Message {
    /// Returns the lines as they are sent if everything begins at `start`.
    fileprivate func lines(at start: HTTPDate) -> [(name: String, value: String)] {
        lines.map { ($0.name, $0.value.text(start)) }
    }
}

extension ExchangeCase.Value {
    /// Returns the value as it is sent if everything begins at `start`.
    func text(_ start: HTTPDate) -> String {
        switch self {
        case .text(let text): text
        case .date(let offset, let form): form.text(start.advanced(by: offset))
        }
    }
}

extension ExchangeCase.DateForm {
    private static let longNames = [
        "Sun": "Sunday", "Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday",
        "Fri": "Friday", "Sat": "Saturday",
    ]

    /// Returns a date in this form (RFC 9110 §5.6.7).
    func text(_ date: HTTPDate) -> String {
        let usual = date.text
        let parts = usual.split(separator: " ").map(String.init)
        let day = String(parts[0].dropLast())
        switch self {
        case .usual: return usual
        case .rfc850:
            return
                "\(Self.longNames[day] ?? day), \(parts[1])-\(parts[2])-\(parts[3].suffix(2)) \(parts[4]) GMT"
        case .asctime:
            let number = parts[1].hasPrefix("0") ? " " + parts[1].dropFirst() : parts[1]
            return "\(day) \(parts[2]) \(number) \(parts[4]) \(parts[3])"
        }
    }
}

extension HTTPFields {
    /// Creates field lines in order; a name that HTTP does not allow is omitted.
    public init(lines: [(name: String, value: String)]) {
        self.init()
        for line in lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            append(HTTPField(name: name, value: line.value))
        }
    }
}
