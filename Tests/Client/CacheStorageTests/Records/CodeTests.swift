import HTTPTypes
import Testing

@testable import CacheStorage

@Suite("Codes in the binary form of metadata")
struct CodeTests {
    @Test("A version of HTTP has the byte that earlier versions of the store have given it")
    func versions() {
        let versions: [HTTPVersion] = [.http10, .http11, .http2]
        #expect(versions.map(\.code) == [0, 1, 2])
        #expect((0...3).map { HTTPVersion(code: $0) } == versions + [nil])
    }

    @Test("Every name in the table has a byte of its own, and no other spelling or byte stands for a name")
    func names() throws {
        let names = FieldNameTable.names
        #expect(names.map { FieldNameTable.code($0) } == (1...names.count).map { UInt8($0) })
        #expect(names.indices.map { FieldNameTable.name(UInt8($0 + 1)) } == names)
        #expect([0, UInt8(names.count + 1), 255].map { FieldNameTable.name($0) } == [nil, nil, nil])
        for other in ["ETAG", "X-Number", "Vary2"] { #expect(FieldNameTable.code(.known(other)) == 0) }
    }
}
