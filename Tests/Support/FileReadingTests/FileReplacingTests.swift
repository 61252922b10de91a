import CLibrary
import FileReading
import TestSupport
import Testing

@Suite("Files that are written as a whole")
struct FileReplacingTests {
    private func content(_ path: String) -> [UInt8]? {
        try? FileAccess.content(ofFile: path).get()
    }

    private func fails(_ path: String) -> Bool {
        if case .failure = FileAccess.replace(path, with: [9]) { true } else { false }
    }

    @Test("A file is created or replaced with its permissions, through a link too, and nothing else remains")
    func replaced() throws {
        let folder = try TestFolder()
        let (path, link) = (folder.path + "/a", folder.path + "/b")
        for bytes: [UInt8] in [[1, 2, 3], [4]] {
            try FileAccess.replace(path, with: bytes).get()
            #expect(content(path) == bytes)
            chmod(path, 0o600)
        }
        symlink(path, link)
        try FileAccess.replace(link, with: [5]).get()
        #expect(content(path) == [5])
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(folder.names == ["a", "b"])
    }

    @Test("If the new content cannot be written, the file stays as it was")
    func unwritten() throws {
        let folder = try TestFolder()
        let path = folder.path + "/a"
        try FileAccess.replace(path, with: [1]).get()
        mkdir("\(path).\(getpid()).new", 0o700)
        #expect(fails(path))
        #expect(content(path) == [1])
        #expect(fails(folder.path + "/none/a"))
    }
}
