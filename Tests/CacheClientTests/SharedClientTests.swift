import CacheClient
import Testing

@Suite("The shared client")
struct SharedClientTests {
    @Test("It is one client until another is put in its place")
    func replacing() throws {
        let first = try SharedClient.current()
        #expect(try SharedClient.current() === first)
        let other = try TestClient().client
        SharedClient.use(other)
        #expect(try SharedClient.current() === other)
    }
}
