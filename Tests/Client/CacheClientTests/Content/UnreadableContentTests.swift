import CacheClient
import CacheStorage
import CLibrary
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("Stored content that the system temporarily cannot read", .timeLimit(.minutes(20)))
struct UnreadableContentTests {
    private static let size = 300_000
    private static let fields = "Cache-Control: no-cache\r\nETag: \"1\"\r\n"

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The part of the content that arrives with the first response.
        let arrived: Int
        /// The field of requests that use the stored response.
        let field: String
    }

    @Test(
        "The affected load requests the whole response, and later loads find the content again",
        arguments: [
            Row(testDescription: "content that is validated", arrived: size, field: "if-none-match"),
            Row(testDescription: "content that is completed", arrived: size / 2, field: "range"),
        ]
    )
    func unreadable(row: Row) async throws {
        let folder = try TestFolder()
        let requests = Lock([Bool]())
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                let uses = head.lowercased().contains("\r\n\(row.field): ")
                let number = requests.withLock { requests in
                    requests.append(uses)
                    return requests.count
                }
                // By now the file is open.
                if number == 2 { #expect(Self.breakReading(of: folder) == 1) }
                connection.send(Self.answer(row, number, uses))
                if number == 1, row.arrived < Self.size { return }
            }
        }
        let client = try Self.client(folder)
        let request = ClientRequest(url: server.url + "/")
        _ = try? await client.fetch(request)
        let second = try await client.fetch(request)
        #expect(second.response.status.code == 503)
        #expect(second.cacheStatus.detail?.contains("could not be read") == true)
        let third = try await client.fetch(request)
        // The contents are not compared directly: the library would print their difference, which takes minutes.
        let isWhole = third.body == [UInt8](repeating: 0x78, count: Self.size)
        #expect(isWhole)
        #expect(requests.withLock { $0 } == [false, true, false, true])
    }

    /// Returns the first response, complete or not; a 304 or the rest for a request that has a part; otherwise an error.
    private static func answer(_ row: Row, _ number: Int, _ uses: Bool) -> String {
        let content = String(repeating: "x", count: size)
        switch (number, uses) {
        case (1, _):
            return "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\(fields)\r\n" + content.prefix(row.arrived)
        case (_, true) where row.arrived == size: return "HTTP/1.1 304 Not Modified\r\n\(fields)\r\n"
        case (_, true):
            return "HTTP/1.1 206 Partial Content\r\nContent-Length: \(size - row.arrived)\r\n\(fields)"
                + "Content-Range: bytes \(row.arrived)-\(size - 1)/\(size)\r\n\r\n"
                + content.dropFirst(row.arrived)
        case (_, false): return "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
        }
    }

    private static func client(_ folder: TestFolder) throws -> CachingClient {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let settings = CacheStore.Configuration(
            memoryCapacity: .zero,
            diskCapacity: .mebibytes(8),
            directory: folder.path,
            largestShare: 1
        )
        let transport = CurlTransport(loop: try ClientLoop())
        return CachingClient(
            store: try CacheStore(settings, clock: clock),
            transport: transport,
            clock: clock
        )
    }

    /// Replaces every open body file of a folder by a write-only descriptor; returns how many there were.
    private static func breakReading(of folder: TestFolder) -> Int {
        let names = folder.names(in: "bodies")
        var count = 0
        for (descriptor, path) in OpenFiles.all()
        where names.contains(where: { path.hasSuffix("\(folder.path)/bodies/\($0)") }) {
            let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
            if dup2(null, descriptor) == descriptor { count += 1 }
            close(null)
        }
        return count
    }
}
