/// The values of placeholders in field values.
public struct FieldContext: Sendable, Hashable {
    /// The value of `${base}`: the absolute path below which the script answers.
    public var base: String
    /// The value of `${other}`: the script's URL under its second host name.
    public var other: String
    /// The origin's present, since 1970-01-01T00:00:00Z; its fraction of a second is not sent.
    public var now: Duration
    /// When the script began, since 1970-01-01T00:00:00Z.
    public var start: Duration

    /// Creates a context.
    public init(base: String, other: String, now: Duration, start: Duration) {
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
            .replacing("${now}", with: DateForm.imf.text(sinceEpoch: now))
    }
}

extension FieldValue {
    /// Returns the value as it is sent.
    public func text(in context: FieldContext) -> String {
        switch self {
        case .text(let text): context.expand(text)
        case .date(let offset, let form): form.text(sinceEpoch: context.now + offset)
        case .fixedDate(let offset, let form): form.text(sinceEpoch: context.start + offset)
        }
    }
}
