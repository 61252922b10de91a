import CLibrary
import Testing

@testable import Conformance

@Suite("Folder of a scenario")
struct ScratchFolderTests {
    @Test("a folder is new, lists the files below it, and is removed with its object")
    func lifetime() throws {
        var path = ""
        do {
            let folder = try ScratchFolder()
            path = folder.path
            mkdir(path + "/inner", 0o700)
            for name in ["/a", "/inner/b"] { close(open(path + name, O_CREAT | O_WRONLY, 0o600)) }
            #expect(folder.files.sorted() == [path + "/a", path + "/inner/b"])
        }
        #expect(access(path, F_OK) != 0)
    }
}
