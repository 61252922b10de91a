import Czlib
import TextCodings

/// Files of the repository that are bundled with the program, so that it needs none next to it.
///
/// They are `scenarios`, `fixtures/drivers`, `ci/examples`, the folders of `clients`, and the schemas in `fixtures` and
/// `docs`; paths are those of the repository.
public enum BundledFiles {
    /// All of them, unpacked when they are first used.
    public static let archive = FileArchive(unpacked)
    /// Differs where any file does.
    public static var checksum: String { String(PackedFiles.checksum, radix: 16) }

    private static var unpacked: [UInt8] {
        let packed = Base64.decode(PackedFiles.text) ?? []
        var bytes = [UInt8](repeating: 0, count: PackedFiles.length)
        var count = uLong(bytes.count)
        let status = uncompress(&bytes, &count, packed, uLong(packed.count))
        precondition(status == Z_OK && count == bytes.count, "the packed files are damaged")
        return bytes
    }
}
