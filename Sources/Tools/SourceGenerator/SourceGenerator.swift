import CLibrary

/// Writes generated sources, for the build plugin `GenerateSources`.
@main
enum SourceGenerator {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(GenerationError) {
            switch words.first {
            case "files" where words.count >= 3:
                let archive = try Archive(root: words[2], paths: Array(words[3...]))
                try write(try archive.source(), to: words[1])
            case "texts" where words.count >= 3:
                try write(try TextConstants(paths: Array(words[2...])).source, to: words[1])
            case "commit" where words.count == 3:
                try write("let builtCommit = \"\(words[2])\"\n", to: words[1])
            default:
                throw GenerationError(
                    "usage: files OUTPUT ROOT PATH... | texts OUTPUT FILE... | commit OUTPUT COMMIT"
                )
            }
        } catch {
            complain(error.text)
            exit(1)
        }
    }

    /// Writes to standard error: the C library's stream is not concurrency-safe.
    private static func complain(_ text: String) {
        let bytes = Array("SourceGenerator: \(text)\n".utf8)
        _ = writeBytes(STDERR_FILENO, bytes, bytes.count)
    }

    private static func write(_ text: String, to path: String) throws(GenerationError) {
        let bytes = Array(text.utf8)
        guard let file = fopen(path, "w") else { throw GenerationError("\(path) cannot be written") }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten else { throw GenerationError("\(path) cannot be written") }
    }
}

/// The reason why no source was generated.
struct GenerationError: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Calls `write` of the C library, whose name a method hides.
private func writeBytes(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
