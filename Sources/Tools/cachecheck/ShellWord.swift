/// Quotes words for a shell.
enum ShellWord {
    /// Returns the words as a command line of a POSIX shell.
    static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// Returns the text as one word of a POSIX shell.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte < 0x80
                && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
                || "-_./:=,@%+".utf8.contains(byte)
        }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
