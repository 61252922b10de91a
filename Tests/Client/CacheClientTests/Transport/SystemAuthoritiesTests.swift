@testable import CacheClient
import TestSupport
import Testing

@Suite("The location of the system's authorities", .blocking)
struct SystemAuthoritiesTests {
    private static let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"

    @Test(
        "The file is omitted only if a folder has as many authorities by their hashes",
        arguments: [
            (["002c0b4f.0", "5443e9e3.0"], 2, true), (["5443e9e3.0", "5443e9e3.1"], 2, true),
            (["002c0b4f.0"], 2, false), (["002c0b4f.0", "mine.pem"], 2, false),
            (["002c0b4f.0", "5443e9e3.r0"], 2, false), (["002c0b4g.0"], 1, false), (["002c0b4.0"], 1, false),
            (["002c0b4f."], 1, false), (["002c0b4f.0.0"], 1, false), ([], 0, false), ([], 2, false),
        ]
    )
    func choice(names: [String], certificates: Int, isCovered: Bool) throws {
        let folder = try TestFolder()
        for name in names { _ = try folder.write(name, Self.certificate) }
        let file = try folder.write(
            "all.crt",
            "# a comment\n" + String(repeating: Self.certificate, count: certificates)
        )
        let found = SystemAuthorities(file: file, folder: folder.path)
        #expect(found.file == (isCovered ? nil : file))
        #expect(found.folder == folder.path)
    }

    @Test("Without a folder the file is read, and without a file the folder")
    func one() throws {
        let folder = try TestFolder()
        let file = try folder.write("all.crt", Self.certificate)
        #expect(SystemAuthorities(file: file, folder: nil).file == file)
        #expect(SystemAuthorities(file: nil, folder: folder.path).folder == folder.path)
        #expect(SystemAuthorities(file: file, folder: folder.path + "/none").file == file)
    }
}
