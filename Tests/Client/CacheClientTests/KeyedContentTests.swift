import CacheClient
import CacheSemantics
import CacheStorage
import CLibrary
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("Content and credentials in the key of a client's cache", .blocking)
struct KeyedContentTests {
    private func numbering() -> ScriptedServer {
        let count = Lock(0)
        return ScriptedServer { connection in
            while let head = connection.readHead() {
                let length = head.split(separator: "\r\n").compactMap { line in
                    line.lowercased().hasPrefix("content-length:") ? Int(line.dropFirst(16)) : nil
                }.first
                if let length { _ = connection.read(count: length) }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                connection.send(answer("200 OK", "Cache-Control: max-age=60", body: "\(number)"))
            }
        }
    }

    @Test(
        "A QUERY with a file is stored under the digest of the file's content",
        .checks("rfc10008.2.7.key")
    )
    func file() async throws {
        let test = try TestClient()
        let server = numbering()
        let folder = try TestFolder()
        let (first, same) = (try folder.write("a", "content"), try folder.write("b", "content"))
        let other = try folder.write("c", "other")
        func query(_ body: RequestBody) async throws -> ClientResponse {
            try await test.client.fetch(ClientRequest(url: server.url + "/", method: .query, body: body))
        }
        #expect(try await query(.file(path: first)).text == "1")
        #expect(try await query(.file(path: same)).source == .memory)
        #expect(try await query(.bytes(Array("content".utf8))).source == .memory)
        #expect(try await query(.file(path: other)).text == "2")
        let missing = await test.failure(
            ClientRequest(url: server.url + "/", method: .query, body: .file(path: folder.path + "/none"))
        )
        #expect(missing?.code == -1100)
    }

    @Test(
        "A QUERY with a stream is never stored or answered from the store",
        .checks("rfc10008.2.7.content")
    )
    func stream() async throws {
        let test = try TestClient()
        let server = numbering()
        for _ in 0..<2 {
            let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield([1])
                continuation.finish()
            }
            let body = RequestBody.stream(UploadStream(length: .bytes(1), pieces: pieces))
            let request = ClientRequest(url: server.url + "/", method: .query, body: body)
            let response = try await test.client.fetch(request)
            #expect(response.source == .origin)
            // RFC 9211 §2.2: the method's semantics do not require it.
            #expect(response.cacheStatus.parameters["fwd"] == "bypass")
            #expect(response.cacheStatus.parameters["stored"] == "false")
        }
        #expect(test.store.entryCount == 0)
    }

    @Test(
        "A caller's credentials cannot be read in the folder of a partitioned cache",
        .checks("rfc9111.2.credentials-unreadable")
    )
    func unreadable() async throws {
        let folder = try TestFolder()
        let clock = VirtualClock(wallSeconds: startOfTime)
        let store = try CacheStore(CacheStore.Configuration(directory: folder.path), clock: clock)
        var configuration = CachingClient.Configuration()
        configuration.engine.partition = CredentialPartition(salt: [1, 2, 3])
        let client = CachingClient(configuration, store: store, transport: try CurlTransport(), clock: clock)
        let server = ScriptedServer { number, _ in
            answer("200 OK", "Cache-Control: max-age=60", "Vary: Cookie, Authorization", body: "\(number)")
        }
        let fields: HTTPFields = [.cookie: "sid=kopenhagen", .authorization: "Bearer kopenhagen"]
        let request = ClientRequest(url: server.url + "/", fields: fields)
        #expect(try await client.fetch(request).source == .origin)
        #expect(try await client.fetch(request).source == .memory)
        #expect(try await client.fetch(ClientRequest(url: server.url + "/")).source == .origin)
        store.close()
        #expect(folder.holds(server.url))
        #expect(!folder.holds("kopenhagen"))
    }

    @Test(
        "The member of this cache comes after those of caches nearer to the origin",
        .checks("rfc9211.2.members")
    )
    func members() {
        var fields = HTTPFields()
        fields[values: CacheStatus.fieldName] = ["Origin; hit, \"A, B\"; fwd=miss", "Edge; fwd=stale"]
        var status = CacheStatus(key: "http://example.test/ü\"", forward: .partial)
        status.forwardStatus = 206
        status.ttl = .seconds(-5)
        status.isStored = true
        status.isCollapsed = false
        status.detail = "a\\b"
        status.append(to: &fields)
        #expect(
            CacheStatus.members(of: fields) == [
                "Origin; hit", "\"A, B\"; fwd=miss", "Edge; fwd=stale",
                #"CacheCheck; fwd=partial; fwd-status=206; ttl=-5; stored; collapsed=?0; key="http://example.test/?\""; detail="a\\b""#,
            ]
        )
    }
}

extension TestFolder {
    /// Whether a text is in one of the folder's files.
    fileprivate func holds(_ text: String) -> Bool {
        guard let folder = opendir(path) else { return false }
        defer { closedir(folder) }
        var found = false
        while let entry = readdir(folder) {
            guard let file = fopen(path + "/" + entry.name, "r") else { continue }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4 << 20)
            let count = fread(&bytes, 1, bytes.count, file)
            found = found || String(decoding: bytes[..<count], as: UTF8.self).contains(text)
        }
        return found
    }
}
