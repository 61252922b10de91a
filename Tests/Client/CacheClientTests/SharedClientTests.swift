import CacheStorage
import HTTPTypes
import Testing

@testable import CacheClient
import TestSupport

@Suite("The shared client")
struct SharedClientTests {
    @Test("It is the client that was set, until another is set")
    func replacing() throws {
        let first = try TestClient().client
        SharedClient.use(first)
        #expect(try SharedClient.current() === first)
        let other = try TestClient().client
        SharedClient.use(other)
        #expect(try SharedClient.current() === other)
    }

    @Test(
        "The next client on the same folder finds what the default one has stored",
        .checks("urlcache.default-is-memory-only")
    )
    func survivesRestart() throws {
        let folder = try TestFolder()
        let request = ClientRequest(url: "http://example.org/kept")
        let response = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
        do {
            let client = try SharedClient.make(caches: folder.path)
            #expect(client.store(response, body: Array("kept".utf8), for: request))
            client.store?.close()
        }
        let found = try SharedClient.make(caches: folder.path).cachedResponse(for: request)
        #expect(try found?.body.readAll() == Array("kept".utf8))
    }
}
