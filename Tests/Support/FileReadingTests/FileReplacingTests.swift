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

    @Test("Until a file is finished, the old one stays, and nothing remains of one that is not finished")
    func unfinished() throws {
        let folder = try TestFolder(["a": "old"])
        let path = folder.path + "/a"
        do {
            let replacement = FileReplacement(path)
            #expect(folder.names == ["a"])
            try replacement.append([1, 2])
            #expect(content(path) == Array("old".utf8))
            #expect(folder.names.count == 2)
        }
        #expect(folder.names == ["a"] && content(path) == Array("old".utf8))
        let replacement = FileReplacement(path)
        try replacement.append([1, 2])
        try replacement.append([3])
        try replacement.finish()
        #expect(folder.names == ["a"] && content(path) == [1, 2, 3])
        try FileReplacement(path).finish()
        #expect(content(path) == [])
    }

    @Test("Whether a file could be replaced is known before, and finding out changes nothing")
    func obstacle() throws {
        let folder = try TestFolder(["a": "old"])
        #expect(FileAccess.obstacle(toReplacing: folder.path + "/a") == nil)
        #expect(FileAccess.obstacle(toReplacing: "/dev/null") == nil)
        #expect(FileAccess.obstacle(toReplacing: folder.path)?.reason == "it is a folder")
        #expect(FileAccess.obstacle(toReplacing: folder.path + "/none/a") != nil)
        #expect(folder.names == ["a"] && content(folder.path + "/a") == Array("old".utf8))
    }

    @Test("If the new content cannot be written, the file stays as it was")
    func unwritten() throws {
        let folder = try TestFolder()
        let path = folder.path + "/a"
        try FileAccess.replace(path, with: [1]).get()
        mkdir("\(path).\(getpid()).new", 0o700)
        #expect(fails(path))
        #expect(content(path) == [1])
        #expect(fails("/dev/full") && fails(folder.path))
        #expect(fails(folder.path + "/none/a"))
    }
}
