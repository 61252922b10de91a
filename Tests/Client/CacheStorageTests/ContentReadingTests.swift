import Testing

@testable import CacheStorage

@Suite("Content that is read in pieces")
struct ContentReadingTests {
    @Test(
        "Bytes before the start and beyond the end are left out, in memory and in a file",
        arguments: [
            (0, 5, [0, 1, 2, 3, 4]), (0, 9, [0, 1, 2, 3, 4]), (1, 3, [1, 2, 3]), (4, 1, [4]), (4, 2, [4]),
            (5, 1, []), (9, 1, []), (-1, 2, [0, 1]), (2, 0, []), (2, -1, []),
        ] as [(Int, Int, [UInt8])]
    )
    func pieces(offset: Int, count: Int, expected: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.store().close()
        let file = try StoragePaths(directory: folder.path).write([0, 1, 2, 3, 4])
        for body in [StoredBody.bytes([0, 1, 2, 3, 4]), .file(file)] {
            #expect(try body.read(from: offset, count: count) == expected)
        }
    }
}
