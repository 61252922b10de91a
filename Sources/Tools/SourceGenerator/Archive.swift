import Czlib
import TextCodings

/// Files in one sequence of bytes: for each its path, a tab, its length, a line feed and its contents.
struct Archive {
    private var bytes: [UInt8] = []

    init(root: String, paths: [String]) throws(GenerationError) {
        for path in paths {
            let contents = try InputFile.read("\(root)/\(path)")
            bytes += Array("\(path)\t\(contents.count)\n".utf8) + contents
        }
    }

    /// Returns the Swift source of the compressed archive.
    func source() throws(GenerationError) -> String {
        """
        enum PackedFiles {
            static let length = \(bytes.count)
            static let checksum: UInt32 = \(crc32(0, bytes, uInt(bytes.count)))
            static let text = "\(Base64.encode(try compressed()))"
        }

        """
    }

    private func compressed() throws(GenerationError) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        guard compress2(&packed, &count, bytes, uLong(bytes.count), Z_BEST_COMPRESSION) == Z_OK else {
            throw GenerationError("the files cannot be compressed")
        }
        return Array(packed[..<Int(count)])
    }
}
