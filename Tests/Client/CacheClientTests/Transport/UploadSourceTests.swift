import CLibrary
import TestSupport
import Testing

@testable import CacheClient

@Suite("The content of a request as it is read", .blocking)
struct UploadSourceTests {
    /// Returns the next bytes as text; nothing at the end, and `nil` if there is nothing yet or never.
    private static func read(_ source: any UploadSource, _ count: Int = 4) -> String? {
        var buffer = [UInt8](repeating: 0, count: count)
        let step = buffer.withUnsafeMutableBytes { source.read(into: $0) }
        guard case .bytes(let read) = step else { return nil }
        return String(decoding: buffer[..<read], as: UTF8.self)
    }

    private static func failure(_ source: any UploadSource) -> TransportError? {
        var byte: [UInt8] = [0]
        guard case .failed(let error) = byte.withUnsafeMutableBytes({ source.read(into: $0) }) else {
            return nil
        }
        return error
    }

    @Test(
        "Bytes and files are read in order, have a length and can be read again from any place",
        arguments: [true, false]
    )
    func repeatable(isFile: Bool) throws {
        let folder = try TestFolder()
        let source: any UploadSource =
            isFile
            ? try FileSource(path: try folder.write("upload", "abcdef")) : BytesSource(Array("abcdef".utf8))
        #expect(source.length == 6)
        #expect((0..<3).map { _ in Self.read(source) } == ["abcd", "ef", ""])
        for (offset, rest) in [(0, ["abcd", "ef", ""]), (2, ["cdef", "", ""]), (6, ["", "", ""])] {
            #expect(source.rewind(to: offset))
            #expect((0..<3).map { _ in Self.read(source) } == rest)
        }
    }

    @Test("Bytes cannot be read from a place that they do not have")
    func outside() {
        let source = BytesSource(Array("abc".utf8))
        #expect(!source.rewind(to: 4))
        #expect(!source.rewind(to: -1))
        #expect(Self.read(source) == "abc")
    }

    @Test("What is no regular file has no length and is read once")
    func pipe() throws {
        let path = "/dev/null"
        let source = try FileSource(path: path)
        #expect(source.length == nil)
        #expect(source.rewind(to: 0))
        #expect(!source.rewind(to: 1))
        #expect(Self.read(source) == "")
    }

    @Test("A file without a length is read from where it is")
    func fifo() throws {
        let path = try TestFolder().path + "-fifo"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        // Opened for both, so that neither end waits for the other.
        let writer = open(path, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        let source = try FileSource(path: path)
        _ = write(writer, "abcdef", 6)
        #expect(Self.read(source) == "abcd")
        #expect(source.rewind(to: 4))
        #expect(!source.rewind(to: 0))
        #expect(Self.read(source, 2) == "ef")
        #expect(source.rewind(to: 6))
    }

    @Test("What cannot be opened or read fails with -1100")
    func unreadable() throws {
        let folder = try TestFolder()
        #expect(throws: TransportError.self) { try FileSource(path: folder.path + "/none") }
        let failure = Self.failure(try FileSource(path: folder.path))
        #expect(failure?.kind == .noSuchFile)
    }
}
