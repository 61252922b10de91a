import CLibrary

extension HARFile {
    /// Writes exchanges to a file atomically.
    public static func write(
        _ exchanges: [CapturedExchange],
        version: String,
        to path: String
    ) throws(RecordingError) {
        let bytes = Array(text(exchanges, version: version).utf8)
        let aside = path + ".new"
        guard let file = fopen(aside, "w") else { throw failure(path) }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten, rename(aside, path) == 0 else {
            let failure = failure(path)
            unlink(aside)
            throw failure
        }
    }

    private static func failure(_ path: String) -> RecordingError {
        RecordingError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
