#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads the files that sources are generated from.
enum InputFile {
    static func read(_ path: String) throws(GenerationError) -> [UInt8] {
        guard let file = fopen(path, "r") else { throw GenerationError("\(path) cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        if ferror(file) != 0 { throw GenerationError("\(path) cannot be read") }
        return bytes
    }
}
