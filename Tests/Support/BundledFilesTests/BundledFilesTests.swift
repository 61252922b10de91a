import Testing
import TestSupport

@testable import BundledFiles

@Suite("Files that are part of the program")
struct BundledFilesTests {
    @Test(
        "They are those of the repository",
        arguments: [
            "scenarios/schema.json", "scenarios/README.md", "fixtures/drivers/nginx.conf",
            "fixtures/drivers/trafficserver/remap.config", "fixtures/drivers/driver.py",
            "fixtures/site.schema.json", "ci/examples/shard.sh",
        ]
    )
    func same(path: String) throws {
        let text = try String(readingFile: packageFolder + "/" + path)
        #expect(BundledFiles.archive.text(path)?.isEmpty == false && BundledFiles.archive.text(path) == text)
    }

    @Test("An archive has the contents of each file, and an order in which folders are not torn apart")
    func archive() {
        let archive = FileArchive(Array("a/b\t2\nx\na-b/c\t0\na/a\t3\n\t1\n".utf8))
        #expect(archive.paths == ["a/a", "a/b", "a-b/c"])
        #expect(archive.paths(below: "a") == ["a/a", "a/b"])
        #expect(archive.text("a/a") == "\t1\n")
        #expect(archive.bytes("a/b") == [0x78, 0x0A])
        #expect(archive.bytes("a-b/c") == [])
        #expect(archive.text("a") == nil)
    }

    @Test("Folders are written with those above them; a file in the place of a folder is named")
    func writing() throws {
        let folder = try TestFolder()
        let archive = FileArchive(Array("a/b/c\t1\nx".utf8))
        #expect(try archive.write(below: "a", to: folder.path + "/new/place") == 1)
        #expect(folder.text("new/place/b/c") == "x")
        let error = #expect(throws: FileWritingError.self) {
            try archive.write(below: "a", to: folder.path + "/new/place/b/c")
        }
        #expect(error?.description.hasPrefix(folder.path + "/new/place/b/c") == true)
    }
}
