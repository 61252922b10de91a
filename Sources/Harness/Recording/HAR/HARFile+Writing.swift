public import FaultProxy
import FileReading

extension HARFile {
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
