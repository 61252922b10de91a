package import LocatedYAML

/// A workflow command, which GitHub shows as an annotation.
package struct WorkflowCommand {
    /// The severity of an annotation.
    package enum Level: String {
        case error, warning, notice
    }
    private let level: Level
    private let title: String
    private let message: String
    private let place: Position?

    /// Creates a command; without a place it annotates no file, and a line or column below 1 is not known.
    package init(_ level: Level, title: String, _ message: String, at place: Position? = nil) {
        self.level = level
        self.title = title
        self.message = message
        self.place = place
    }

    /// Returns commands and a notice: at most ten together, because GitHub shows no more a step.
    ///
    /// If there are more, the last one before the notice is `more` of the number of those that are left out.
    package static func page(
        _ commands: [WorkflowCommand],
        more: (Int) -> WorkflowCommand,
        notice: WorkflowCommand
    ) -> String {
        let most = 9
        var shown = Array(commands.prefix(most))
        if commands.count > most { shown[most - 1] = more(commands.count - most + 1) }
        return (shown + [notice]).map(\.text).joined()
    }

    private var text: String {
        let properties = place.map(Self.properties) ?? []
        let list = (properties + ["title=" + Self.property(title)]).joined(separator: ",")
        return "::\(level.rawValue) \(list)::\(Self.data(message))\n"
    }

    private static func properties(of place: Position) -> [String] {
        ["file=" + property(place.file)] + (place.line > 0 ? ["line=\(place.line)"] : [])
            + (place.column > 0 ? ["col=\(place.column)"] : [])
    }

    private static func data(_ text: String) -> String {
        text.map { character in
            switch character {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            case "\r\n": "%0D%0A"
            default: String(character)
            }
        }.joined()
    }

    private static func property(_ text: String) -> String {
        data(text).map { character in
            switch character {
            case ":": "%3A"
            case ",": "%2C"
            default: String(character)
            }
        }.joined()
    }
}
