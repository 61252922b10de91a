import CLibrary
import TestSupport
import Testing

@Suite(
    "Files of a cache folder that are truncated under a running gateway",
    .timeLimit(.minutes(20)),
    .blocking
)
struct LostPagesTests {
    @Test(
        "The gateway continues to respond, and ends normally",
        arguments: ["generation", "entries.sqlite-shm", "entries.sqlite-wal", "entries.sqlite"]
    )
    func cutOff(name: String) throws {
        let program = try Program()
        let cache = program.folder.path + "/cache"
        let origin = try program.start(["serve", "--port", "0"])
        let gateway = try program.start([
            "gateway", "--origin", "http://127.0.0.1:\(origin.port)", "--port", "0", "--cache-dir", cache,
        ])
        for round in 0..<30 {
            for path in ["/get?cache-control=max-age%3D60", "/get?cache-control=max-age%3D60&n=\(round)"] {
                let client = try RawClient(port: gateway.port)
                try client.request("GET", path)
                #expect(try client.response().status == 200)
            }
            // It is missing while the database is created again.
            #expect(truncate(cache + "/" + name, 0) == 0 || errno == ENOENT)
        }
        #expect(gateway.end() == 0)
        #expect(origin.end() == 0)
    }
}
