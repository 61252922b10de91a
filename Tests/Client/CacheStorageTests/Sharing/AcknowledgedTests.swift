import CLibrary
import TestSupport
import Testing

@testable import CacheStorage

@Suite("The last acknowledged invalidation or removal", .blocking)
struct AcknowledgedTests {
    private let folder: TemporaryFolder
    private let file: GenerationFile

    init() throws {
        folder = try TemporaryFolder()
        file = try GenerationFile(path: folder.path + "/generation")
    }

    private func isAccepted(_ last: Int64, of database: UInt64, in file: GenerationFile) -> Bool {
        (try? file.acknowledged.check(last, of: database)) != nil
    }

    @Test("Every database is accepted until there is one")
    func none() {
        #expect(isAccepted(0, of: 1, in: file))
        file.acknowledge(5, of: 1)
        #expect(!isAccepted(0, of: 1, in: file))
        file.forgetAcknowledged()
        #expect(isAccepted(0, of: 1, in: file))
    }

    @Test(
        "An earlier one does not replace it, whichever store records it last",
        arguments: [[5, 3], [3, 5], [5, 5]]
    )
    func order(changes: [Int64]) {
        for change in changes { file.acknowledge(change, of: 1) }
        #expect([4, 5, 6].map { isAccepted($0, of: 1, in: file) } == [false, true, true])
    }

    @Test("That of another database replaces it, and that database alone is accepted")
    func otherDatabase() {
        file.acknowledge(5, of: 1)
        file.acknowledge(2, of: 7)
        #expect([1, 2].map { isAccepted($0, of: 7, in: file) } == [false, true])
        #expect(!isAccepted(9, of: 1, in: file))
    }

    @Test(
        "It is in the file that replaces a removed one, unless that has one of its own",
        arguments: [nil, 9] as [Int64?]
    )
    func replaced(own: Int64?) throws {
        file.acknowledge(5, of: 1)
        #expect(unlink(file.path) == 0)
        if let own { try GenerationFile(path: file.path).acknowledge(own, of: 1) }
        _ = file.advance()
        let other = try GenerationFile(path: file.path)
        for file in [file, other] {
            #expect(
                [4, 5, 8, 9].map { isAccepted($0, of: 1, in: file) } == [false, own == nil, own == nil, true]
            )
        }
    }
}
