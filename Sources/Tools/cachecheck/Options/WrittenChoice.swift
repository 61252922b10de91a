import ArgumentParser

/// The value of an option whose value is optional.
///
/// Parsing accepts any text, because a rejected one would count as absent; `choice` is `nil` for an invalid text.
struct WrittenChoice<Choice: RawRepresentable<String> & CaseIterable & Sendable>: ExpressibleByArgument,
    CustomStringConvertible
{
    let text: String

    init(_ choice: Choice) {
        text = choice.rawValue
    }

    init?(argument: String) {
        text = argument
    }

    var choice: Choice? { Choice(rawValue: text) }

    var description: String { text }

    /// Throws for an invalid text; `hint` suggests what may have been meant.
    func validate(_ option: String, hint: String) throws {
        guard choice == nil else { return }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\(option): found \(text), expected one of \(names); \(hint)")
    }
}
