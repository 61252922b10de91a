import FileReading

/// Reads the files that sources are generated from.
enum InputFile {
    static func read(_ path: String) throws(GenerationError) -> [UInt8] {
        switch FileAccess.content(ofFile: path) {
        case .success(let bytes): return bytes
        case .failure(let failure): throw GenerationError("\(path) cannot be read: \(failure.reason)")
        }
    }
}
