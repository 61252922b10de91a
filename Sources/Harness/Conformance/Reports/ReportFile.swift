import CLibrary
import FileReading

/// A report that is written to a file or to standard output.
public final class ReportFile {
    private let name: String
    private var reporter: any Reporter
    /// The place of the text as it arises; `nil` for a file that is replaced at the end.
    private let descriptor: Int32?
    private let replacement: FileReplacement?

    /// Opens the report.
    ///
    /// `path` is replaced when the run ends, until which a report that was there stays; `nil` is standard output. Throws
    /// if the file cannot be written.
    public init(_ reporter: any Reporter, path: String?) throws(ReportError) {
        name = path ?? "standard output"
        self.reporter = reporter
        descriptor = path == nil ? STDOUT_FILENO : nil
        replacement = path.map { FileReplacement($0) }
        if let failure = path.flatMap(FileAccess.obstacle(toReplacing:)) { throw ReportError(name, failure) }
    }

    /// Opens a report of this kind, as `init(_:path:)` does with its reporter.
    public convenience init(
        _ kind: ReportKind,
        path: String?,
        settings: ReportSettings = ReportSettings()
    ) throws(ReportError) {
        try self.init(kind.reporter(settings), path: path)
    }

    /// Opens a log, whose file is replaced now, so that it shows how far a run came that does not end.
    public init(log reporter: any Reporter, path: String) throws(ReportError) {
        name = path
        self.reporter = reporter
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        self.descriptor = descriptor
        replacement = nil
        if descriptor < 0 { throw ReportError(name, .ofSystem) }
    }

    deinit {
        if let descriptor, descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Writes the text that the event adds to the report; the end of the run completes the file.
    public func write(_ event: RunEvent) throws(ReportError) {
        let bytes = Array(reporter.text(for: event).utf8)
        do throws(FileAccess.Failure) {
            if let descriptor { try FileAccess.write(bytes[...], to: descriptor) }
            guard let replacement else { return }
            if !bytes.isEmpty { try replacement.append(bytes[...]) }
            if case .runFinished = event { try replacement.finish() }
        } catch {
            throw ReportError(name, error)
        }
    }
}

/// A report that cannot be written.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence with the file and the reason.
    public let description: String

    init(_ name: String, _ failure: FileAccess.Failure) {
        description = "The report \(name) cannot be written: \(failure.reason)"
    }
}
