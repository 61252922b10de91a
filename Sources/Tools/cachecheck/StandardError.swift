import CLibrary
import TextCodings

/// Writes one line to standard error, with visible control characters; errors are ignored.
func printError(_ text: some CustomStringConvertible) {
    let bytes = Array("\(text.description.showingControls)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Writes one line to standard output without buffering; errors are ignored.
func writeLine(_ text: String) {
    var bytes = Array("\(text)\n".utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count <= 0 { return }
        bytes = bytes.dropFirst(count)
    }
}
