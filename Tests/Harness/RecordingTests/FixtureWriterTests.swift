import CLibrary
import MockOrigin
import Recording
import Testing
import TestSupport

@Suite("The folder of a recording", .blocking)
struct FixtureWriterTests {
    private func exchange(_ target: String, _ body: String = "x", _ fields: [CapturedExchange.Field] = [])
        -> CapturedExchange
    {
        CapturedExchange(
            origin: "http://a",
            target: target,
            response: .init(status: 200, reason: "OK", fields: fields, body: Array(body.utf8)),
            at: .zero
        )
    }

    @Test(
        "Whatever the path, its files are in the folder",
        arguments: [
            "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/.hidden", "/a/b/c", "/", "//", "/\u{0}", "/%00",
            "/" + String(repeating: "x", count: 500), "/ü", "/CON", "/a?b=../../c",
        ]
    )
    func staysInside(target: String) throws {
        let folder = try TestFolder()
        let writer = try FixtureWriter(folder: folder.path + "/out")
        try writer.add(exchange(target))
        #expect(folder.files.count == 5)
        #expect(folder.files.filter { $0.hasPrefix("out/routes/") || $0.hasPrefix("out/bodies/") }.count == 2)
        #expect(folder.files.allSatisfy { $0.utf8.count < 110 })
    }

    @Test("Paths that give the same name have separate files")
    func names() throws {
        let folder = try TestFolder()
        let writer = try FixtureWriter(folder: folder.path)
        for path in ["/a/b", "/a-b", "/A.b"] { try writer.add(exchange(path, path)) }
        #expect(
            folder.files == [
                "bodies", "bodies/a-b-2.bin", "bodies/a-b-3.bin", "bodies/a-b.bin", "routes",
                "routes/a-b-2.yaml",
                "routes/a-b-3.yaml", "routes/a-b.yaml",
            ]
        )
    }

    @Test("A folder that contains a site is refused", arguments: ["site.yaml", "routes.json", "routes"])
    func notEmpty(name: String) throws {
        let folder = try TestFolder()
        try folder.write(name, "[]")
        let error = #expect(throws: RecordingError.self) { _ = try FixtureWriter(folder: folder.path) }
        #expect(
            error?.description == "\(folder.path) already contains a site (\(name)); choose an empty folder"
        )
    }

    @Test("A folder in which a recording has stored nothing can be recorded in again")
    func stillEmpty() throws {
        let folder = try TestFolder()
        _ = try FixtureWriter(folder: folder.path)
        let writer = try FixtureWriter(folder: folder.path)
        try writer.add(exchange("/a", "a"))
        #expect(throws: RecordingError.self) { _ = try FixtureWriter(folder: folder.path) }
    }

    @Test("Links in the folder are not followed")
    func links() throws {
        let folder = try TestFolder()
        let outside = try TestFolder()
        symlink(outside.path, folder.path + "/bodies")
        #expect(throws: RecordingError.self) { _ = try FixtureWriter(folder: folder.path) }
        #expect(outside.files.isEmpty)
    }

    @Test("A full disk is an error that names the file and the reason")
    func readOnly() {
        let error = #expect(throws: RecordingError.self) { _ = try FixtureWriter(folder: "/proc/recording") }
        #expect(error?.description == "/proc/recording cannot be created: No such file or directory")
    }

    @Test("A file that cannot be written is an error, and files written before stay")
    func cannotWrite() throws {
        let folder = try TestFolder()
        let writer = try FixtureWriter(folder: folder.path)
        try writer.add(exchange("/a"))
        let before = folder.text("routes/a.yaml")
        // A folder with the name of the temporary file.
        mkdir(folder.path + "/routes/.a.yaml.new", 0o777)
        let error = #expect(throws: RecordingError.self) { try writer.add(exchange("/a", "other")) }
        #expect(error?.description == "\(folder.path)/routes/a.yaml cannot be written: File exists")
        #expect(folder.text("routes/a.yaml") == before)
    }

    @Test(
        "Whatever a field contains, the fixture can be decoded",
        arguments: [
            "${x}", "${now}", "a ${", "'", "\"", "\\", "a: b", "# c", "- d", "{", "[", "true", "null", "1",
            "", " ", "é",
            "\u{2028}", "a\tb", "*", "&a", "!t", "%", "@", "`", "yes", "~",
        ]
    )
    func values(value: String) throws {
        let folder = try TestFolder()
        let writer = try FixtureWriter(folder: folder.path, redaction: Redaction(isOn: false))
        try writer.add(exchange("/a", "x", [.init("X-Value", value), .init("X-Value", value)]))
        let text = try #require(folder.text("routes/a.yaml"))
        let site = try SiteFile.decode(text, file: "a.yaml")
        #expect(site.routes.count == 1)
    }
}
