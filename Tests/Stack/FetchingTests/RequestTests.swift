import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Requests of a session", .timeLimit(.minutes(20)))
struct RequestTests {
    @Test(
        "Each of the four methods reaches the server, with its parameters in the query or the content",
        .checks("sjnetwork.request.methods"),
        arguments: [
            (HTTPRequest.Method.get, "GET /a?k=v", ""), (.post, "POST /a", "k=v"), (.put, "PUT /a", "k=v"),
            (.delete, "DELETE /a?k=v", ""),
        ]
    )
    func methods(method: HTTPRequest.Method, line: String, body: String) async throws {
        let fixture = try FetchFixture(json("{}"))
        let response = try await fixture.session().send(FetchRequest(method, "a", parameters: ["k": "v"]))
        #expect(response.status == 200)
        #expect(fixture.requestLines == [line])
        #expect(fixture.requestBodies == [body])
    }

    @Test("GET puts parameters into the query and sends no content", .checks("afexample.get-parameters"))
    func getParameters() async throws {
        let fixture = try FetchFixture(json("{}"))
        _ = try await fixture.session().get("get", ["a": 1])
        #expect(fixture.requestLines == ["GET /get?a=1"])
        #expect(fixture.requestBodies == [""])
    }

    @Test(
        "Parameters are added to the query, sorted and percent-encoded, and an empty set adds nothing",
        .checks(
            "sqfetch.request.get-query",
            "sqfetch.request.get-no-encoding",
            "sqfetch.request.get-existing-query",
            "sqfetch.request.param-order",
            "sqfetch.request.param-value-text"
        ),
        arguments: [
            ("get", ["b": 2, "a": 1], "GET /get?a=1&b=2"), ("get", [:], "GET /get"),
            ("get", ["k": "a&b=c 中"], "GET /get?k=a%26b%3Dc%20%E4%B8%AD"),
            ("get?x=1", ["a": 1], "GET /get?x=1&a=1"), ("get?", ["a": 1], "GET /get?a=1"),
            ("get#part", ["a": 1], "GET /get?a=1"), ("get", ["n": 5], "GET /get?n=5"),
            ("get", ["n": "5"], "GET /get?n=5"),
            ("get", ["a b": ["x", "y"]], "GET /get?a%20b%5B%5D=x&a%20b%5B%5D=y"),
            ("get", ["t": true, "f": false, "z": nil], "GET /get?f=0&t=1&z="),
            ("get", ["o": ["b": 1, "a": [2]]], "GET /get?o%5Ba%5D%5B%5D=2&o%5Bb%5D=1"),
        ] as [(String, Parameters, String)]
    )
    func query(path: String, parameters: Parameters, line: String) async throws {
        let fixture = try FetchFixture(json("{}"))
        _ = try await fixture.session().get(path, parameters)
        #expect(fixture.requestLines == [line])
    }

    @Test(
        "Arrays and Booleans have the configured form",
        arguments: [
            (ParameterEncoding.ArrayForm.brackets, "GET /a?k%5B%5D=1&k%5B%5D=2&t=true"),
            (.repeated, "GET /a?k=1&k=2&t=true"), (.indexed, "GET /a?k%5B0%5D=1&k%5B1%5D=2&t=true"),
        ]
    )
    func arrayForms(form: ParameterEncoding.ArrayForm, line: String) async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session {
            $0.encoding.arrays = form
            $0.encoding.bools = .words
        }
        _ = try await session.get("a", ["k": [1, 2], "t": true])
        #expect(fixture.requestLines == [line])
    }

    @Test(
        "POST parameters are a form with its length and media type, and the URL is unchanged",
        .checks("sqfetch.request.post-body")
    )
    func postForm() async throws {
        let fixture = try FetchFixture(json("{}"))
        _ = try await fixture.session(.sqFetch).post("post", ["b": 2, "a": 1])
        #expect(fixture.requestLines == ["POST /post"])
        #expect(fixture.requestBodies == ["a=1&b=2"])
        #expect(fixture.lastFields("content-length") == ["7"])
        #expect(fixture.lastFields("content-type") == ["application/x-www-form-urlencoded"])
        _ = try await fixture.session(.sqFetch).post("post")
        #expect(fixture.lastFields("content-length") == ["0"])
    }

    @Test(
        "JSON parameters are JSON content with its media type, and a GET has them in its query",
        .checks("afnetworking.serial.json-request")
    )
    func postJSON() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.afNetworking) { $0.bodyForm = .json }
        _ = try await session.post("a", ["a": 1])
        #expect(fixture.requestBodies.last == "{\"a\":1}")
        #expect(fixture.lastFields("content-type") == ["application/json"])
        for method in [HTTPRequest.Method.get, .head, .delete] {
            _ = try await session.send(FetchRequest(method, "a", parameters: ["a": 1]))
            #expect(fixture.requestLines.last == "\(method.rawValue) /a?a=1")
            #expect(fixture.requestBodies.last == "")
        }
    }

    @Test("GET and POST have their own methods", .checks("afnetworking.http.get-post"))
    func verbs() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.afNetworking)
        _ = try await session.get("a", ["k": 1])
        _ = try await session.post("a", ["k": 1])
        _ = try await session.put("a", ["k": 1])
        _ = try await session.delete("a", ["k": 1])
        #expect(fixture.requestLines == ["GET /a?k=1", "POST /a", "PUT /a", "DELETE /a?k=1"])
        #expect(fixture.requestBodies == ["", "k=1", "k=1", ""])
    }

    @Test("A multipart body has the parameters as fields before its files, whatever their names")
    func multipart() async throws {
        let fixture = try FetchFixture(json("{}"))
        try fixture.folder.write("notes.txt", "from a file")
        var body = MultipartBody(boundary: "BOUND")
        body.append(
            name: "up\"load\r\n",
            fileName: "a\"b\r\nX: y.txt",
            contentType: "text/plain",
            bytes: [104, 105]
        )
        body.append(name: "file", contentType: "text/plain", path: fixture.folder.path + "/notes.txt")
        let request = FetchRequest.post("a", ["k": "v"]).with { $0.body = .multipart(body) }
        _ = try await fixture.session().send(request)
        #expect(
            fixture.requestBodies == [
                "--BOUND\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\nv\r\n"
                    + "--BOUND\r\nContent-Disposition: form-data; name=\"up%22load%0D%0A\"; "
                    + "filename=\"a%22b%0D%0AX: y.txt\"\r\nContent-Type: text/plain\r\n\r\nhi\r\n"
                    + "--BOUND\r\nContent-Disposition: form-data; name=\"file\"; filename=\"notes.txt\"\r\n"
                    + "Content-Type: text/plain\r\n\r\nfrom a file\r\n--BOUND--\r\n"
            ]
        )
        #expect(fixture.lastFields("content-type") == ["multipart/form-data; boundary=BOUND"])
        #expect(fixture.lastFields("content-length") == ["\(fixture.requestBodies[0].utf8.count)"])
    }

    @Test("A missing file fails the request before anything is sent")
    func missingFile() async throws {
        let fixture = try FetchFixture(json("{}"))
        var body = MultipartBody()
        body.append(name: "file", path: fixture.folder.path + "/none")
        let request = FetchRequest.post("a").with { $0.body = .multipart(body) }
        let error = await fixture.session().failure(request)
        #expect(error?.code == -1100)
        #expect(fixture.hits == 0)
    }

    @Test(
        "The base URL precedes a relative path, with any combination of slashes between them",
        .checks("sjnetwork.config.base-url"),
        arguments: ["", "/"],
        ["toutiao/index", "/toutiao/index"]
    )
    func baseURL(end: String, path: String) async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork) { $0.baseURL += end }
        let response = try await session.get(path)
        #expect(fixture.requestLines == ["GET /toutiao/index"])
        #expect(response.request.url == fixture.base + "/toutiao/index")
    }

    @Test(
        "A request may name another base URL, or be absolute",
        .checks("sjnetwork.config.single-base-url")
    )
    func otherBases() async throws {
        let fixture = try FetchFixture(json("{}"))
        let base = fixture.base
        let session = fixture.session {
            $0.baseURL = "http://127.0.0.1:1"
            $0.namedBaseURLs = ["second": base + "/second"]
        }
        _ = try await session.send(.get("a").with { $0.base = .named("second") })
        _ = try await session.send(.get("a").with { $0.base = .url(base + "/third") })
        _ = try await session.get(base + "/absolute")
        #expect(fixture.requestLines == ["GET /second/a", "GET /third/a", "GET /absolute"])
        let unknown = await session.failure(.get("a").with { $0.base = .named("none") })
        #expect(unknown?.reason == "There is no base URL named \"none\".")
        let relative = await fixture.session { $0.baseURL = "" }.failure(.get("a"))
        #expect(relative?.kind == .badRequest)
    }

    @Test(
        "Default parameters are in all content, and a request's own override them",
        .checks(
            "sjnetwork.config.default-params-body",
            "sjnetwork.config.version-in-body",
            "sjnetwork.config.default-params-collision",
            "sjnetwork.config.default-params-property"
        )
    )
    func defaultsInContent() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork) {
            $0.defaultParameters = ["app_version": "1.0", "platform": "iOS"]
        }
        _ = try await session.post("a", ["type": "top"])
        _ = try await session.post("a", ["platform": "linux"])
        #expect(
            fixture.requestBodies == [
                "{\"app_version\":\"1.0\",\"platform\":\"iOS\",\"type\":\"top\"}",
                "{\"app_version\":\"1.0\",\"platform\":\"linux\"}",
            ]
        )
    }

    @Test(
        "Default parameters of a GET are in its query",
        .checks("sjnetwork.config.default-params-get", "sjnetwork.config.default-params-visible")
    )
    func defaultsInQuery() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork) {
            $0.defaultParameters = ["app_version": "1.0", "platform": "iOS"]
        }
        let response = try await session.get("a", ["type": "top"])
        #expect(fixture.requestLines == ["GET /a?app_version=1.0&platform=iOS&type=top"])
        #expect(fixture.requestBodies == [""])
        let expected = "{\"app_version\":\"1.0\",\"platform\":\"iOS\",\"type\":\"top\"}"
        #expect(response.request.description.contains(expected))
    }

    @Test(
        "Default fields are sent with every method; a field of the same name is replaced, and others remain",
        .checks(
            "sjnetwork.config.header-add",
            "sjnetwork.config.header-replace",
            "sjnetwork.config.header-alias",
            "sqfetch.scope.missing-features"
        )
    )
    func defaultFields() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork)
        let token = try #require(HTTPField.Name("token"))
        let other = try #require(HTTPField.Name("x"))
        session.setDefaultField(token, "a")
        session.setDefaultField(token, "b")
        session.setDefaultField(other, "1")
        #expect(session.configuration.defaultFields[token] == "b")
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            _ = try await session.send(FetchRequest(method, "a"))
            #expect(fixture.lastFields("token") == ["b"])
            #expect(fixture.lastFields("x") == ["1"])
        }
        _ = try await session.send(.get("a").with { $0.fields[token] = "own" })
        #expect(fixture.lastFields("token") == ["own"])
    }

    @Test(
        "Default fields are sent with uploads and downloads",
        .checks("sjnetwork.config.header-add")
    )
    func defaultFieldsOfTransfers() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session(.sjNetwork)
        let token = try #require(HTTPField.Name("token"))
        session.setDefaultField(token, "a")
        let item = Upload.Item([UInt8](repeating: 7, count: 100), fileName: "a.png")
        _ = try await session.upload(Upload("image", [item]).with { $0.mediaType = "png" })
        #expect(fixture.origin.record().map(\.method) == ["POST"])
        #expect(fixture.lastFields("token") == ["a"])
        let downloads = Downloads(
            session,
            partialFolder: fixture.folder.path + "/parts"
        )
        _ = try await downloads.download(DownloadRequest("file.bin", to: fixture.folder.path + "/out.bin"))
        #expect(fixture.origin.record().map(\.method) == ["POST", "GET"])
        #expect(fixture.lastFields("token") == ["a"])
    }

    @Test(
        "A request without a response fails as timed out at its timeout, not before",
        .checks("sjnetwork.config.timeout-20", "sjnetwork.config.timeout-set"),
        arguments: [nil, 30] as [Int?]
    )
    func timeout(seconds: Int?) async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session(.sjNetwork)
        if let seconds { session.configure { $0.timeout = .seconds(seconds) } }
        let failures = Collector<FetchError>()
        let task = session.start(.get("a")) { if case .failure(let error) = $0 { failures.add(error) } }
        await news.wait { fixture.origin.parked.count == 1 && fixture.clock.nextDeadline != nil }
        #expect(fixture.clock.nextDeadline == .seconds(seconds ?? 20))
        fixture.clock.advance(by: .seconds(seconds ?? 20) - .milliseconds(1))
        #expect(task.state == .running)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(await failures.first(1).map(\.code) == [-1001])
    }

    @Test(
        "The profiles have the documents' constants",
        arguments: [
            (FetchConfiguration.sqFetch, 60, FetchConfiguration.BodyForm.form, 6),
            (.afNetworking, 60, .form, 6),
            (.sjNetwork, 20, .json, 6),
        ]
    )
    func profiles(
        profile: FetchConfiguration,
        timeout: Int,
        form: FetchConfiguration.BodyForm,
        limit: Int
    ) {
        #expect(profile.timeout == .seconds(timeout))
        #expect(profile.bodyForm == form)
        #expect(profile.maximumInFlight == limit)
        #expect(profile.policy == .useProtocolCachePolicy)
    }

    @Test(
        "Ten successive requests of one session reuse one connection",
        .checks("sqfetch.request.session-per-request", "afnetworking.http.shared-instance")
    )
    func oneConnection() async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session()
        for number in 0..<10 { _ = try await session.get("\(number)") }
        #expect(fixture.server.acceptedConnections == 1)
    }

    @Test(
        "A fresh JSON response is reused by the HTTP cache, without an application cache",
        .checks("sqfetch.request.default-config-uses-urlcache", "afnetworking.http.cache-is-urlcache"),
        arguments: [FetchConfiguration.sqFetch, .afNetworking, .sjNetwork]
    )
    func httpCache(profile: FetchConfiguration) async throws {
        let fixture = try FetchFixture(
            json("{\"a\":1}") { $0.fields.append(FieldLine("Cache-Control", .text("max-age=60"))) }
        )
        let session = fixture.session(profile, store: try fixture.memoryStore())
        let first = try await session.get("get")
        fixture.clock.advance(by: .seconds(59))
        let second = try await session.get("get")
        #expect(fixture.hits == 1)
        #expect(first.json == second.json)
        #expect(second.source == .client(.memory))
        fixture.clock.advance(by: .seconds(1))
        _ = try await session.get("get")
        #expect(fixture.hits == 2)
    }

    @Test("Basic credentials are sent after a challenge, and a token immediately")
    func credentials() async throws {
        var unauthorized = json("{}") { $0.status = 401 }
        unauthorized.fields.append(
            FieldLine("WWW-Authenticate", .text("Digest realm=\"d\", Basic realm=\"r\""))
        )
        let fixture = try FetchFixture(unauthorized, json("{}"))
        let session = fixture.session { $0.credential = .basic(user: "Aladdin", password: "open sesame") }
        let response = try await session.get("a")
        #expect(response.attempts == 2)
        #expect(fixture.lastFields("authorization") == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
        _ = try await session.send(.get("a").with { $0.credential = .bearer("t") })
        #expect(fixture.lastFields("authorization") == ["Bearer t"])
        _ = try await session.send(
            .get("a").with { $0.credential = .preemptiveBasic(user: "a", password: "b") }
        )
        #expect(fixture.lastFields("authorization") == ["Basic YTpi"])
        #expect(fixture.hits == 4)
    }

    @Test("Wrong credentials are sent once")
    func wrongCredentials() async throws {
        var unauthorized = json("{}") { $0.status = 401 }
        unauthorized.fields.append(FieldLine("WWW-Authenticate", .text("basic realm=\"r\"")))
        let fixture = try FetchFixture(unauthorized)
        let session = fixture.session { $0.credential = .basic(user: "a", password: "b") }
        #expect(await session.failure(.get("a"))?.status == 401)
        #expect(fixture.hits == 2)
    }
}
