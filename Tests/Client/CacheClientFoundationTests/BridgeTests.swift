import CacheClientFoundation
import MockOrigin
import Testing

@Suite("Foundation's types")
struct BridgeTests {
    private static let url = "https://a.example/users?page=2"

    @Test("A request keeps method, URL, fields, content, policy and timeout")
    func request() throws {
        var original = URLRequest(url: try #require(URL(string: Self.url)))
        original.httpMethod = "PUT"
        original.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        original.httpBody = Data("hello".utf8)
        original.cachePolicy = .reloadRevalidatingCacheData
        original.timeoutInterval = 5
        let request = ClientRequest(original)
        #expect(request.url == Self.url && request.method == .put)
        #expect(request.fields[.contentType] == "text/plain")
        #expect(request.policy == .reloadRevalidatingCacheData && request.timeout == .seconds(5))
        guard case .bytes(let bytes) = request.body else {
            Issue.record("The content is \(String(describing: request.body)).")
            return
        }
        #expect(bytes == Array("hello".utf8))
    }

    @Test("A value is sent as JSON, with its media type unless the fields name another")
    func json() async throws {
        let server = try MockServer.started(routes: [.post("/a", .json("{}")), .put("/a", .json("{}"))])
        let client = try CachingClient(cache: .memory())
        _ = try await client.post(server.url("/a"), json: ["b": 1])
        let fields: HTTPFields = [.contentType: "application/problem+json"]
        _ = try await client.put(server.url("/a"), json: [true], fields: fields)
        let seen = try await server.waitForRequests(2)
        #expect(seen.map(\.method) == ["POST", "PUT"])
        #expect(
            seen.map { $0.headerFields[.contentType] } == ["application/json", "application/problem+json"]
        )
        #expect(seen.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"b":1}"#, "[true]"])
        await server.shutDown()
        await #expect(throws: EncodingError.self) {
            try await client.post(server.url("/a"), json: Double.nan)
        }
    }

    @Test(
        "An error has the code, the URL and the reason of Foundation's",
        arguments: [
            (.timedOut, .timedOut), (.offline, .notConnectedToInternet), (.cancelled, .cancelled),
            (.tooManyRedirects, .httpTooManyRedirects), (.tooLarge, .dataLengthExceedsMaximum),
            (.certificateExpired, .serverCertificateHasBadDate), (.addressRefused, .unknown),
        ] as [(ClientError.Code, URLError.Code)]
    )
    func error(code: ClientError.Code, foundation: URLError.Code) {
        let error = ClientError(code: code, url: Self.url, reason: "It failed.").urlError
        #expect(error.code == foundation)
        #expect(error.failingURL?.absoluteString == Self.url)
        #expect(error.localizedDescription == "It failed.")
        #expect((error.userInfo[NSUnderlyingErrorKey] as? ClientError)?.code == code)
    }

    @Test("A response has status, joined fields, data and decoded JSON")
    func response() throws {
        var fields: HTTPFields = [.contentType: "application/json"]
        fields.append(HTTPField(name: .vary, value: "Accept"))
        fields.append(HTTPField(name: .vary, value: "Cookie"))
        let response = ClientResponse(url: Self.url, fields: fields, body: Array("[1,2]".utf8))
        let head = try #require(response.httpURLResponse)
        #expect(head.statusCode == 200 && head.url?.absoluteString == Self.url)
        #expect(head.value(forHTTPHeaderField: "Vary") == "Accept, Cookie")
        #expect(response.data == Data("[1,2]".utf8))
        #expect(try response.decoded(as: [Int].self) == [1, 2])
    }

    @Test(
        "A date survives in whole seconds, and one beyond all numbers becomes the last",
        arguments: [-1.5, 0, 1e9]
    )
    func dates(seconds: Double) {
        let date = HTTPDate(Date(timeIntervalSince1970: seconds))
        #expect(Double(date.secondsSinceEpoch) == seconds.rounded(.down))
        #expect(Date(date).timeIntervalSince1970 == seconds.rounded(.down))
        #expect(HTTPDate(Date(timeIntervalSince1970: 1e30)).secondsSinceEpoch == .max)
    }

    @Test("Responses that were stored since a date are removed, and older ones are kept")
    func removal() async throws {
        let clock = VirtualClock(wallSeconds: 1_767_225_600)
        let client = try CachingClient(cache: .memory(), clock: clock)
        for name in ["old", "new"] {
            let response = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=600"])
            #expect(client.store(response, body: [], for: ClientRequest(url: "http://a.example/\(name)")))
            clock.advance(by: .seconds(60))
        }
        client.removeCachedResponses(since: clock.date - 90)
        let kept = ["old", "new"].map { name in
            client.cachedResponse(for: ClientRequest(url: "http://a.example/\(name)")) != nil
        }
        #expect(kept == [true, false])
        client.removeCachedResponses(since: HTTPDate(clock.date - 600))
        #expect(client.cachedResponse(for: ClientRequest(url: "http://a.example/old")) == nil)
    }

    @Test("A client loads data from its cache for a URL")
    func data() async throws {
        let server = try MockServer.started(routes: [.get("/a", .plainText("one").maxAge(.seconds(86_400)))])
        defer { server.stop() }
        let client = try CachingClient(cache: .memory())
        let url = try #require(URL(string: server.url("/a")))
        for _ in 0..<2 {
            let (data, head) = try await client.data(from: url)
            #expect(data == Data("one".utf8) && head.statusCode == 200)
        }
        #expect(server.journal().count == 1)
    }
}
