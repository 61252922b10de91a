/// Text made safe for the workflow commands of GitHub.
package enum WorkflowCommand {
    /// Returns text for the message of a command.
    package static func data(_ text: String) -> String {
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

    /// Returns text for a property of a command.
    package static func property(_ text: String) -> String {
        data(text).map { character in
            switch character {
            case ":": "%3A"
            case ",": "%2C"
            default: String(character)
            }
        }.joined()
    }
}
