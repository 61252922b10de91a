public import FaultProxy
import FileReading

extension HARFile {
    /// Throws if `write` could not write a file now, so that this is known before exchanges are recorded.
    public static func requireWritable(_ path: String) throws(RecordingError) {
        guard let failure = FileAccess.obstacle(toReplacing: path) else { return }
        throw RecordingError("\(path) cannot be written: \(failure.reason)")
    }

    /// Writes exchanges to a file atomically, by default with secrets replaced, as `text` does.
    public static func write(
        _ exchanges: [CapturedExchange],
        redaction: Redaction = Redaction(),
        version: String,
        to path: String
    ) throws(RecordingError) {
        let bytes = Array(text(exchanges, redaction: redaction, version: version).utf8)
        guard case .failure(let failure) = FileAccess.replace(path, with: bytes) else { return }
        throw RecordingError("\(path) cannot be written: \(failure.reason)")
    }
}
