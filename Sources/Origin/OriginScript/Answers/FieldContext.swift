/// The values that placeholders in field values stand for.
public struct FieldContext: Sendable, Hashable {
    /// The value of `${base}`: the absolute path below which the script answers.
    public var base: String
    /// The value of `${other}`: the script's URL under its second host name.
    public var other: String
    /// The origin's present, in seconds since 1970-01-01T00:00:00Z.
    public var now: Int64
    /// When the script began, in seconds since 1970-01-01T00:00:00Z.
    public var start: Int64

    /// Creates a context.
    public init(base: String, other: String, now: Int64, start: Int64) {
        self.base = base
        self.other = other
        self.now = now
        self.start = start
    }

    /// Returns text with `${base}`, `${other}` and `${now}` (the present as an IMF-fixdate) replaced.
    public func expand(_ text: String) -> String {
        guard Template.isWorthReading(text) else { return text }
        return text.replacing("${base}", with: base)
            .replacing("${other}", with: other)
            .replacing("${now}", with: DateForm.imf.text(secondsSinceEpoch: now))
    }
}

extension FieldValue {
    /// Returns the value as it is sent.
    public func text(in context: FieldContext) -> String {
        switch self {
        case .text(let text): context.expand(text)
        case .date(let offset, let form): form.text(secondsSinceEpoch: context.now + offset)
        case .fixedDate(let offset, let form): form.text(secondsSinceEpoch: context.start + offset)
        }
    }
}
