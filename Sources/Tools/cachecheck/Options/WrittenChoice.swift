import ArgumentParser

/// A choice behind an option that may also stand alone.
///
/// Parsing takes every text, because one that it refused would count as not written; `choice` is `nil` then.
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

    /// Throws for a text that is no choice; `hint` is what may have been meant.
    func validate(_ option: String, hint: String) throws {
        guard choice == nil else { return }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\(option): found \(text), expected one of \(names); \(hint)")
    }
}
