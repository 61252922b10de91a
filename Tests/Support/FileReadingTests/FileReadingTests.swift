import CLibrary
import FileReading
import TestSupport
import Testing

@Suite("Files that are read as a whole", .timeLimit(.minutes(20)))
struct FileReadingTests {
    private func reason(_ result: Result<[UInt8], FileAccess.Failure>) -> String? {
        if case .failure(let failure) = result { failure.reason } else { nil }
    }

    @Test("A device without end is refused, and an empty one read")
    func devices() throws {
        #expect(reason(FileAccess.content(ofFile: "/dev/zero")) == "it has more than 256 MiB")
        #expect(try FileAccess.content(ofFile: "/dev/null").get() == [])
    }

    @Test("A plain file above the limit is refused without being read")
    func large() throws {
        let folder = try TestFolder(["a": ""])
        // Sparse: it takes no space.
        #expect(truncate(folder.path + "/a", 1 << 40) == 0)
        #expect(reason(FileAccess.content(ofFile: folder.path + "/a")) == "it has more than 1024 MiB")
    }

    @Test("A pipe is read to its end, as the shell makes them for process substitution")
    func pipes() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], "abc", 3) == 3)
        close(ends[1])
        #expect(try FileAccess.content(ofFile: "/proc/self/fd/\(ends[0])").get() == Array("abc".utf8))
    }
}
