#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import OriginScript

/// Where the content of answers is made or read.
struct ContentStore: Sendable {
    /// A fixture that cannot be read.
    struct Missing: Error {
        var name: String
    }
    /// Folder of fixture files besides the embedded ones; `nil` is none.
    var folder: String?

    func bytes(of source: BodySource) throws(Missing) -> [UInt8] {
        switch source {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .generated(let size): Self.pattern(size)
        case .file(let name): try file(name)
        }
    }

    /// Printable bytes with a period of 95, so that pieces in the wrong order show.
    static func pattern(_ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(size, 0))
        while bytes.count < size { bytes += period.prefix(size - bytes.count) }
        return bytes
    }

    /// Many times 95 bytes, because byte by byte a large content would keep a thread of the server busy.
    private static let period = (0..<95 * 512).map { UInt8(0x20 + $0 % 95) }

    private func file(_ name: String) throws(Missing) -> [UInt8] {
        if let embedded = EmbeddedFixtures.bytes(named: name) { return embedded }
        // A script names files of the folder, never above it.
        guard let folder, !name.hasPrefix("/"), !name.split(separator: "/").contains(".."),
            let bytes = Self.read(folder + "/" + name)
        else { throw Missing(name: name) }
        return bytes
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes.append(contentsOf: buffer.prefix(count))
        }
    }
}
