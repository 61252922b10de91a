import CacheGateway
import CacheStorage
import CLibrary
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Stored responses with content in a file", .timeLimit(.minutes(20)), .blocking)
struct FileHitTests {
    private static let size = 8 << 20
    private let folder: TestFolder
    private let fixture: GatewayFixture

    init() throws {
        folder = try TestFolder()
        let large = Answer.fresh("") { $0.body = .generated(size: Self.size) }
        fixture = try GatewayFixture(
            [Route(label: "1", answers: [large])],
            store: .init(
                memoryCapacity: .zero,
                diskCapacity: .mebibytes(64),
                directory: folder.path,
                largestShare: 0.5
            )
        )
    }

    private func bodyPath() throws -> String {
        let name = try #require(folder.names(in: "bodies").first)
        return folder.path + "/bodies/" + name
    }

    /// Changes one byte; with `length`, truncates the file.
    private func damage(_ path: String, length: Int? = nil) {
        if let length { return #expect(truncate(path, off_t(length)) == 0) }
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        var byte: UInt8 = 0
        #expect(pwrite(file, &byte, 1, off_t(Self.size - 1)) == 1)
    }

    @Test("Each caller gets the content as the origin sent it, repeatedly on one connection")
    func hits() throws {
        let fetched = try fixture.ask().body
        #expect(fetched.count == Self.size)
        let client = try fixture.client()
        for _ in 0..<3 {
            try client.request("GET", fixture.target())
            let response = try client.response()
            #expect(response["Cache-Status"]?.contains("; hit") == true)
            #expect(response.body == fetched)
        }
        #expect(fixture.namespace.record().count == 1)
    }

    @Test("A pipelined request after one that is answered from a file is answered")
    func sentAhead() throws {
        _ = try fixture.ask()
        let client = try fixture.client()
        let request = "GET \(fixture.target()) HTTP/1.1\r\nHost: a\r\n\r\n"
        try client.send(request + request)
        for _ in 0..<2 { #expect(try client.response().body.count == Self.size) }
    }

    @Test("A response whose file was changed or truncated is requested again", arguments: [nil, 10])
    func damaged(length: Int?) throws {
        let fetched = try fixture.ask().body
        #expect(try fixture.ask().body == fetched)
        damage(try bodyPath(), length: length)
        let response = try fixture.ask()
        #expect(response["Cache-Status"]?.contains("; fwd=") == true)
        #expect(response.body == fetched)
    }

    @Test(
        "A response whose file is changed or truncated while it is sent ends early, with its connection",
        arguments: [nil, 1 << 20]
    )
    func damagedMeanwhile(length: Int?) throws {
        _ = try fixture.ask()
        let client = try fixture.client()
        try client.request("GET", fixture.target())
        _ = try client.read(through: "\r\n\r\n")
        damage(try bodyPath(), length: length)
        #expect(throws: RawClient.Failure.self) { try client.read(count: Self.size) }
        #expect(try fixture.ask().body.count == Self.size)
    }

    @Test("A response that is removed while it is sent is sent to its end")
    func removedMeanwhile() throws {
        let fetched = try fixture.ask().body
        let client = try fixture.client()
        try client.request("GET", fixture.target())
        _ = try client.read(through: "\r\n\r\n")
        #expect(fixture.gateway.purgeAll() == .done(keys: 1))
        #expect(folder.names(in: "bodies") == [])
        #expect(try client.read(count: Self.size) == fetched)
    }

    @Test("A caller that disconnects while a file is sent does no harm")
    func gone() throws {
        _ = try fixture.ask()
        for _ in 0..<5 {
            let client = try fixture.client()
            try client.request("GET", fixture.target())
            _ = try client.read(through: "\r\n\r\n")
            client.close()
        }
        #expect(try fixture.ask().body.count == Self.size)
    }
}
