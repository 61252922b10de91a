import ImageLoading
import Testing
import TestSupport

@Suite("Names of image files")
struct FileNamingTests {
    @Test(
        "The name is the MD5 of the key with the extension of the URL's path",
        .checks("sdwebimage.cache.file-name", "sdwebimage.cache.file-name-extension-trap"),
        arguments: [
            ("http://localhost:8090/image", "9b7af625c385321cbc5ab27c1bd5f6da"),
            ("http://localhost:8090/photos/a.png", "63b510bb7320a3efa82e1a0453c95f35.png"),
            ("http://localhost:8090/a.jpg?x=1", "03410e42425d372909e5365fb67a50d4.jpg"),
            ("http://localhost:8090/v1.2/photo", "97bf409a47e122d2cb94f124dfa7afa0"),
        ]
    )
    func safe(key: String, expected: String) {
        #expect(FileNaming.md5WithExtension.name(for: key) == expected)
    }

    @Test(
        "The documented rule uses the extension of the whole key",
        .checks("sdwebimage.cache.file-name-extension-trap")
    )
    func faithful() {
        let naming = FileNaming.md5WithExtensionOfKey
        #expect(
            naming.name(for: "http://localhost:8090/a.jpg?x=1") == "03410e42425d372909e5365fb67a50d4.jpg?x=1"
        )
        #expect(naming.name(for: "http://example.com").hasSuffix(".com"))
        #expect(!naming.name(for: "a.jpg?u=/b/c").contains("."))
        let suffixes = ["a.tar.gz", "a.JPG", "a.", ".hidden"].map { key in
            naming.name(for: key).dropFirst(32)
        }
        #expect(suffixes == [".gz", ".JPG", "", ""])
    }

    @Test("The empty key has a file name", .checks("sdwebimage.cache.file-name-null"))
    func empty() {
        #expect(FileNaming.md5WithExtension.name(for: "") == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test("SHA-1 names have 40 digits and no extension")
    func sha1() {
        let name = FileNaming.sha1.name(for: "http://localhost:8090/image?size=small")
        #expect(name == "a41a16047375fd4ac542ffb30e04b2cbea78eb14")
        #expect(
            FileNaming.sha1.name(for: "http://localhost:8090/image")
                == "c1fcca84b23535bc8134832efd354faede34e877"
        )
    }

    @Test(
        "A rule whose name could leave the folder, or is hidden, is not applied",
        arguments: [
            "../../etc/passwd", "a/b", "", ".", "..", ".hidden", "a\u{0}b",
            String(repeating: "x", count: 300),
        ]
    )
    func hostile(name: String) {
        let made = FileNaming { _ in name }.name(for: "key")
        #expect(made == FileNaming.sha256.name(for: "key"))
        #expect(made.count == 64)
    }

    @Test("An extension of 400 letters does not become part of the name")
    func longExtension() {
        let key = "http://h/a." + String(repeating: "j", count: 400)
        #expect(FileNaming.md5WithExtension.name(for: key).count == 32)
        #expect(FileNaming.md5WithExtensionOfKey.name(for: key).count == 64)
    }
}
