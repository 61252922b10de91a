import CLibrary

/// A report that is written during the run, to a file or to standard output.
public final class ReportFile {
    private let name: String
    private let descriptor: Int32
    private var reporter: any Reporter

    /// Opens the report; `path` is replaced, and `nil` is standard output.
    public init(_ reporter: any Reporter, path: String?) throws(ReportError) {
        name = path ?? "standard output"
        self.reporter = reporter
        descriptor = path.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) } ?? STDOUT_FILENO
        if descriptor < 0 { throw ReportError(name, errno) }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Writes the text that the event adds to the report.
    public func write(_ event: RunEvent) throws(ReportError) {
        let text = reporter.text(for: event)
        if text.isEmpty { return }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { writeSome(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw ReportError(name, errno) }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// Calls `write` of the C library, whose name is hidden by a method's.
private func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// A report that cannot be written.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence with the file and the reason.
    public let description: String

    init(_ name: String, _ code: Int32) {
        description = "The report \(name) cannot be written: \(String(cString: strerror(code)))."
    }
}
