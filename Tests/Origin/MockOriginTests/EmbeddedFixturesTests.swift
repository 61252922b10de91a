import CLibrary
import Testing
import TestSupport

@testable import MockOrigin

@Suite("The embedded images")
struct EmbeddedFixturesTests {
    @Test("They equal the files of the fixture folder", arguments: ["image.jpg", "image.png"])
    func same(name: String) throws {
        let folder = packageFolder + "/fixtures/images/"
        let file = try #require(fopen(folder + name, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, bytes.count, file)
        #expect(count > 100)
        #expect(EmbeddedFixtures.bytes(named: name) == Array(bytes.prefix(count)))
    }

    @Test("They start with the bytes of their types")
    func types() {
        #expect(EmbeddedFixtures.bytes(named: "image.jpg")?.prefix(3) == [0xFF, 0xD8, 0xFF])
        #expect(EmbeddedFixtures.bytes(named: "image.png")?.prefix(8) == [137, 80, 78, 71, 13, 10, 26, 10])
    }
}
