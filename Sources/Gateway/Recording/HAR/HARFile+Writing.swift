import FileReading

extension HARFile {
    /// Writes exchanges to a file atomically.
    public static func write(
        _ exchanges: [CapturedExchange],
        version: String,
        to path: String
    ) throws(RecordingError) {
        let bytes = Array(text(exchanges, version: version).utf8)
        guard case .failure(let failure) = FileAccess.replace(path, with: bytes) else { return }
        throw RecordingError("\(path) cannot be written: \(failure.reason)")
    }
}
