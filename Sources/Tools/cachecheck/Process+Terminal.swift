import ArgumentParser
import CLibrary

extension Process {
    /// Whether standard output is a terminal with colours that the user wants (https://no-color.org).
    static var hasColors: Bool {
        let isUnwanted = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        return isatty(STDOUT_FILENO) == 1 && !isUnwanted && !isDumb
    }

    /// Opens a file with the program that the user's desktop has for it.
    static func open(_ path: String) throws {
        let words: [UnsafeMutablePointer<CChar>?] = ["xdg-open", path].map { (word: String) in strdup(word) }
        defer { words.forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawnp(&process, "xdg-open", nil, nil, words + [nil], environ)
        guard code == 0 else {
            throw stop("xdg-open cannot be run: \(String(cString: strerror(code)))", ExitStatus.unavailable)
        }
        waitpid(process, nil, 0)
    }
}
