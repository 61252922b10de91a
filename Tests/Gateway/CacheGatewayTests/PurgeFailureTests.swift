import CacheGateway
import CacheStorage
import ControlServing
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@Suite(
    "A gateway whose folder cannot be written or removed",
    .enabled(if: SmallFileSystem.isAvailable),
    .timeLimit(.minutes(20)),
    .blocking
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
        let url = "http://127.0.0.1:\(fixture.server.port ?? 0)\(fixture.target("/1"))"
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
        "Cache-Status reports from the first response on that it is not stored, if the only tier is a full disk"
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
        for number in 2...3 {
            let status = try diskOnly.ask("GET", "/\(number)")["cache-status"]
            #expect(status?.contains("stored=?0") == true, "\(status ?? "")")
        }
    }

    @Test("The operator learns the URL of each response that could not be written, and callers do not")
    func unwrittenURL() throws {
        defer { disk.remove() }
        let seen = Lock([StorageDamage]())
        let diskOnly = try GatewayFixture(
            [Route(label: "1", answers: [.fresh("x")])],
            store: .init(
                memoryCapacity: .zero,
                diskCapacity: .mebibytes(1),
                directory: folder.path,
                largestShare: 0.5
            )
        ) { $0.onStorageDamage = { damage in seen.withLock { $0.append(damage) } } }
        for number in 2...3 { _ = try diskOnly.ask("GET", "/\(number)") }
        let urls = (2...3).map { diskOnly.server.url + diskOnly.target("/\($0)") }
        #expect(Set(seen.withLock { $0.map(\.subject) }).isSuperset(of: urls))
    }

    @Test("An unsafe request is answered, and Cache-Status reports that an invalidated response may reappear")
    func invalidation() throws {
        defer { disk.remove() }
        let response = try fixture.ask("POST")
        #expect(response.status == 200)
        #expect(response["cache-status"]?.contains("the invalidation may be lost") == true)
    }
}
