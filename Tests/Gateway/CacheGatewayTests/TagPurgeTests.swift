import Addresses
import CacheClient
import CacheGateway
import CacheStorage
import ControlServing
import HTTPTypes
import Testing
import TestSupport

@Suite("A gateway is purged by tag", .timeLimit(.minutes(20)), .blocking)
struct TagPurgeTests {
    /// Returns an origin whose responses have the fields that the path names, fresh for a minute.
    private static func origin() -> ScriptedServer {
        ScriptedServer { number, head in
            let fields =
                if head.hasPrefix("GET /groups") {
                    "Cache-Groups: \"news\", \"two words\""
                } else if head.hasPrefix("GET /surrogate") {
                    "Surrogate-Key: home news"
                } else if head.hasPrefix("GET /tag") {
                    "Cache-Tag: news,caf%C3%A9"
                } else {
                    "X-Tag: news"
                }
            return
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(fields)\r\nContent-Length: 1\r\n\r\n\(number % 10)"
        }
    }

    private struct Setting {
        let fixture: GatewayFixture
        let control: GatewayControl

        init(
            _ origin: String?,
            folder: String? = nil,
            tagFields: [String] = ["Surrogate-Key", "cache-tag"]
        ) throws {
            var store = CacheStore.Configuration(directory: folder)
            store.tagFields = tagFields.compactMap { HTTPField.Name($0) }
            fixture = try GatewayFixture([], store: store) { configuration in
                configuration.mode = origin.map { .reverse(origin: $0) } ?? .forward
                configuration.allowedAddresses = AddressBlock("127.0.0.0/8").map { [$0] } ?? []
            }
            var configuration = ControlServer.Configuration()
            configuration.token = try #require(AccessToken("a-secret"))
            control = GatewayControl(of: fixture.gateway, configuration)
            try control.start()
        }

        func purge(_ query: String) throws -> RawResponse {
            let client = try RawClient(port: control.port)
            try client.request("POST", "/purge" + query, ["Authorization: Bearer a-secret"])
            return try client.response()
        }

        func get(_ target: String) throws -> RawResponse {
            let client = try fixture.client()
            try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            return try client.response()
        }

        /// Returns whether a stored response answers; called last, because otherwise the response is stored by this
        /// call.
        func isStored(_ target: String) throws -> Bool {
            try get(target)["Cache-Status"]?.contains("; hit") == true
        }
    }

    @Test("Groups and the configured fields have the tag, other fields do not, and callers get the fields")
    func purge() throws {
        let origin = Self.origin()
        defer { origin.stop() }
        let setting = try Setting(origin.url)
        let paths = ["/groups", "/surrogate", "/tag", "/other"]
        for path in paths { _ = try setting.get(path) }
        #expect(try setting.get("/surrogate")["Surrogate-Key"] == "home news")
        #expect(try setting.purge("?tag=news").text == "{\"purged\":3}\n")
        #expect(setting.fixture.gateway.entryCount == 1)
        #expect(try paths.map { try setting.isStored($0) } == [false, false, false, true])
        #expect(try setting.purge("?tag=home").text == "{\"purged\":1}\n")
        #expect(try setting.purge("?tag=none").text == "{\"purged\":0}\n")
    }

    @Test("The name of a tag is percent-decoded, with + for a space")
    func escapes() throws {
        let origin = Self.origin()
        defer { origin.stop() }
        let setting = try Setting(origin.url)
        for query in ["?tag=two%20words", "?tag=two+words", "?tag=%74wo%20words"] {
            _ = try setting.get("/groups")
            #expect(try setting.purge(query).text == "{\"purged\":1}\n")
        }
        _ = try setting.get("/tag")
        #expect(try setting.purge("?tag=caf%25C3%25A9").text == "{\"purged\":1}\n")
    }

    @Test("A tag without a name is refused with 400, and nothing is removed", arguments: ["?tag=", "?tag"])
    func empty(query: String) throws {
        let origin = Self.origin()
        defer { origin.stop() }
        let setting = try Setting(origin.url)
        _ = try setting.get("/groups")
        let answer = try setting.purge(query)
        #expect(answer.status == 400)
        #expect(answer.text.contains("expected tag=NAME"))
        #expect(setting.fixture.gateway.entryCount == 1)
    }

    @Test(
        "A tag combined with something else, an origin without a tag, and a value of all are refused",
        arguments: [
            "?tag=a&tag=b", "?tag=a&all", "?origin=http://a", "?all&origin=http://a", "?tag=a&origin=",
            "?all=false", "?all=0",
        ]
    )
    func bad(query: String) throws {
        let setting = try Setting("http://127.0.0.1:1")
        #expect(try setting.purge(query).status == 422)
    }

    @Test("A purge by tag at a forward proxy must name the tag's origin")
    func forward() throws {
        let (one, two) = (Self.origin(), Self.origin())
        defer {
            one.stop()
            two.stop()
        }
        let setting = try Setting(nil)
        for origin in [one, two] { _ = try setting.get(origin.url + "/surrogate") }
        #expect(try setting.purge("?tag=news").status == 422)
        #expect(try setting.purge("?tag=news&origin=nothing").status == 422)
        #expect(try setting.purge("?tag=news&origin=\(one.url.uppercased())").text == "{\"purged\":1}\n")
        #expect(try setting.isStored(two.url + "/surrogate"))
        #expect(try !setting.isStored(one.url + "/surrogate"))
    }

    @Test(
        "Of two gateways on a folder, one no longer serves what the other purged by tag, even after a restart"
    )
    func shared() throws {
        let origin = Self.origin()
        defer { origin.stop() }
        let folder = try TestFolder()
        let (first, second) = (
            try Setting(origin.url, folder: folder.path), try Setting(origin.url, folder: folder.path)
        )
        for path in ["/surrogate", "/groups", "/other"] {
            _ = try first.get(path)
            _ = try second.get(path)
        }
        #expect(try second.purge("?tag=news").status == 200)
        #expect(try first.isStored("/other"))
        #expect(try !first.isStored("/surrogate"))
        let third = try Setting(origin.url, folder: folder.path)
        #expect(try third.isStored("/other"))
        #expect(try !third.isStored("/groups"))
    }
}
