import CLibrary
import FileWatching
import TestSupport
import Testing

@testable import MockOrigin

@Suite("Files of a folder", .blocking)
struct ServedFolderTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        _ = try folder.write("a.txt", "text")
        _ = try folder.write("sub/b.txt", "text")
    }

    /// Returns the kind of file that a name refers to, in one word.
    private func kind(_ name: String, in served: ServedFolder) -> String {
        switch served.entry(name) {
        case .file: "file"
        case .folder: "folder"
        case .unreadable: "unreadable"
        case .none: "none"
        }
    }

    @Test("A name is that of a file or a folder below, and of nothing outside, through links or dots")
    func entries() throws {
        let outside = try TestFolder()
        _ = try outside.write("secret.txt", "secret")
        let links = [
            ("in", folder.path + "/sub/b.txt"), ("out", outside.path + "/secret.txt"),
            ("beside", folder.path + "-beside"), ("self", folder.path), ("loop", "loop"),
        ]
        for (name, target) in links { #expect(symlink(target, folder.path + "/" + name) == 0) }
        _ = mkdir(folder.path + "-beside", 0o700)
        defer { rmdir(folder.path + "-beside") }
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        let served = try #require(ServedFolder(path: folder.path))
        let rows = [
            ("a.txt", "file"), ("sub/b.txt", "file"), ("sub//b.txt", "file"), ("in", "file"), ("", "folder"),
            ("sub", "folder"), ("sub/", "folder"), ("self", "folder"), ("none", "none"), ("out", "none"),
            ("beside", "none"), ("loop", "none"), ("pipe", "none"), ("../x", "none"), ("./a.txt", "none"),
            ("sub/../a.txt", "none"), ("a.txt/b", "none"),
        ]
        for (name, expected) in rows { #expect(kind(name, in: served) == expected, "\(name)") }
        #expect(ServedFolder(path: folder.path + "/none") == nil)
    }

    @Test("The root of all files is a folder like others")
    func root() throws {
        let served = try #require(ServedFolder(path: "/"))
        let name = String(folder.path.dropFirst()) + "/a.txt"
        #expect(kind(name, in: served) == "file")
        #expect(kind("", in: served) == "folder")
        #expect(served.stamp(name)?.size == 4)
    }

    @Test("A file has its bytes until it is cut off, and another state after a change")
    func changes() throws {
        let served = try #require(ServedFolder(path: folder.path))
        guard case .file(let file) = served.entry("a.txt") else {
            Issue.record("no file")
            return
        }
        #expect(file.bytes(1..<3) == Array("ex".utf8))
        #expect(file.bytes(4..<4) == [])
        #expect(file.bytes(3..<5) == nil)
        #expect(served.stamp("a.txt") == file.stamp)
        #expect(served.stamp("none") == nil)
        #expect(truncate(folder.path + "/a.txt", 2) == 0)
        #expect(served.stamp("a.txt") != file.stamp)
        #expect(file.bytes(1..<3) == nil)
    }

    @Test(
        "Files that describe the site, or are hidden, are not served",
        arguments: [
            ("a.txt", true), ("sub/a.txt", true), ("site.yaml", false), ("site.yml", false),
            ("site.json", false), ("routes.yaml", false), ("routes.json", false), ("sub/site.yaml", true),
            ("site.txt", true), ("routes/a.yaml", false), ("routes/a.yml", false), ("routes/a.json", false),
            ("routes/a.txt", true), ("routes", true), (".git/config", false), ("sub/.env", false),
            (".well-known/a", true), ("", true),
        ]
    )
    func names(path: String, isServed: Bool) { #expect(SiteNames.isServed(path) == isServed) }
}
