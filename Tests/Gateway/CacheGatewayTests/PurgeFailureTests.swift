import CacheGateway
import CacheStorage
import ControlServing
import MockOrigin
import OriginScript
import TestSupport
import Testing

@Suite(
    "A gateway whose folder cannot be written or removed",
    .enabled(if: SmallFileSystem.isAvailable),
    .timeLimit(.minutes(5))
)
struct PurgeFailureTests {
    private let folder: TestFolder
    private let disk: SmallFileSystem
    private let fixture: GatewayFixture
    private let control: GatewayControl

    init() throws {
        folder = try TestFolder()
        disk = try #require(SmallFileSystem(folder.path, kibibytes: 2048))
        fixture = try GatewayFixture(
            [Route(label: "1", answers: [.fresh("x")])],
            store: .init(diskCapacity: .mebibytes(1), directory: folder.path, largestShare: 0.5)
        )
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken("a-secret"))
        control = GatewayControl(of: fixture.gateway, configuration)
        try control.start()
        _ = try fixture.ask()
        #expect(disk.hold("entries.sqlite"))
        #expect(disk.fill())
    }

    private func purge(_ query: String) throws -> RawResponse {
        let client = try RawClient(port: control.port)
        try client.request("POST", "/purge?" + query, ["Authorization: Bearer a-secret"])
        return try client.response()
    }

    @Test("A purge results in 500 with the reason, and in 200 once the folder can be changed")
    func purge() throws {
        defer { disk.remove() }
        let url = "http://127.0.0.1:\(fixture.server.port)\(fixture.target("/1"))"
        for query in ["url=" + url, "prefix=" + url, "tag=t", "all"] {
            let response = try purge(query)
            #expect(response.status == 500)
            #expect(response.text.contains("its folder may still contain"))
            #expect(response.text.contains("entries.sqlite"))
        }
        #expect(fixture.gateway.entryCount == 0)
        disk.release("entries.sqlite")
        #expect(try purge("url=" + url).status == 200)
    }

    @Test(
        "Cache-Status reports that a response is not stored once the disk tier, the only one, cannot be written"
    )
    func unwritten() throws {
        defer { disk.remove() }
        let diskOnly = try GatewayFixture(
            [Route(label: "1", answers: [.fresh("x")])],
            store: .init(
                memoryCapacity: .zero,
                diskCapacity: .mebibytes(1),
                directory: folder.path,
                largestShare: 0.5
            )
        )
        // The disk's part is written soon after the response, so that the failure is known to one of the next.
        let isReported = try (2...200).contains { number in
            try diskOnly.ask("GET", "/\(number)")["cache-status"]?.contains("stored=?0") == true
        }
        #expect(isReported)
    }

    @Test("An unsafe request is answered, and Cache-Status reports that an invalidated response may reappear")
    func invalidation() throws {
        defer { disk.remove() }
        let response = try fixture.ask("POST")
        #expect(response.status == 200)
        #expect(response["cache-status"]?.contains("the invalidation may be lost") == true)
    }
}
