import CacheClient
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Serializers", .timeLimit(.minutes(20)))
struct SerializerTests {
    private let xml =
        "<?xml version=\"1.0\"?><list n=\"1\"><item>a &amp; b</item><item><![CDATA[<c>]]></item></list>"

    @Test(
        "JSON is parsed, whatever parameters its media type has",
        .checks(
            "sqfetch.response.json",
            "sqfetch.response.mime-without-parameters",
            "sjnetwork.request.parses-json"
        ),
        arguments: [
            "application/json", "application/json; charset=utf-8", "APPLICATION/JSON;x=y",
            "application/problem+json",
        ]
    )
    func jsonTypes(type: String) async throws {
        let fixture = try FetchFixture(content("{\"data\":\"GET Method\",\"status\":\"Success\"}", type))
        for profile in [FetchConfiguration.sqFetch, .afNetworking, .sjNetwork] {
            #expect(
                try await fixture.session(profile).get("get").json == [
                    "data": "GET Method", "status": "Success",
                ]
            )
        }
    }

    @Test(
        "Content of a type that no serializer accepts fails the request with content and status",
        .checks("sqfetch.response.other-types-nil", "afnetworking.serial.compound-none"),
        arguments: [
            (FetchConfiguration.sqFetch, "text/plain"), (.sqFetch, "image/png"), (.sjNetwork, "text/html"),
            (.afNetworking, "application/octet-stream"), (.afNetworking, nil),
        ] as [(FetchConfiguration, String?)]
    )
    func otherTypes(profile: FetchConfiguration, type: String?) async throws {
        let fixture = try FetchFixture(content("hello", type))
        let error = await fixture.session(profile).failure(.get("a"))
        #expect(error?.kind == .unacceptableType)
        #expect(error?.status == 200)
        #expect(error?.body == Array("hello".utf8))
        #expect(error?.mediaType == type)
    }

    @Test(
        "Malformed JSON fails the request once, with the position",
        .checks("sqfetch.response.json-error-lost")
    )
    func brokenJSON() async throws {
        let fixture = try FetchFixture(json("{\"a\":"))
        let ends = Collector<FetchError?>()
        let task = fixture.session(.sqFetch).start(.get("a")) { result in
            if case .failure(let error) = result { ends.add(error) } else { ends.add(nil) }
        }
        _ = try? await task.response()
        #expect(ends.elements.count == 1)
        #expect(ends.elements.first??.kind == .undecodable)
        #expect(ends.elements.first??.reason.contains("1:6:") == true)
    }

    @Test("JSON nested without limit fails the request")
    func endlessJSON() async throws {
        let fixture = try FetchFixture(json(String(repeating: "[", count: 100_000)))
        let error = await fixture.session(.sjNetwork).failure(.get("a"))
        #expect(error?.reason.contains("nested deeper than 512") == true)
    }

    @Test("A broken connection fails the request", .checks("sqfetch.response.transport-error-lost"))
    func brokenConnection() async throws {
        let fixture = try FetchFixture(json("{}") { $0.faults = [Fault(.reset, at: .head)] })
        let error = await fixture.session(.sqFetch).failure(.get("a"))
        #expect(error?.kind == .transport)
        #expect(error?.code == -1005)
        #expect(error?.status == nil)
    }

    @Test(
        "A status of 404 or 500 fails the request with status and content",
        .checks("sqfetch.response.status-ignored", "sjnetwork.request.callbacks"),
        arguments: [404, 500]
    )
    func statuses(status: Int) async throws {
        let fixture = try FetchFixture(json("{\"why\":1}") { $0.status = status })
        let ends = Collector<String>()
        let task = fixture.session(.sqFetch).start(
            .get("a"),
            success: { _ in ends.add("success") },
            failure: { request, error, status in
                ends.add("\(request.path) \(status ?? 0) \(String(decoding: error.body, as: UTF8.self))")
            }
        )
        _ = try? await task.response()
        #expect(ends.elements == ["a \(status) {\"why\":1}"])
    }

    @Test(
        "Every status of 2xx is a success; without content, its value is `nothing`",
        arguments: [200, 201, 204]
    )
    func successes(status: Int) async throws {
        let fixture = try FetchFixture(content("", nil) { $0.status = status })
        let response = try await fixture.session(.sjNetwork).get("a")
        #expect(response.status == status)
        guard case .nothing = response.value else { throw FetchError(.invalid, "There must be nothing.") }
    }

    @Test(
        "A refused connection reaches the completion once, as an error without data",
        .checks("afexample.failure-forwards-error")
    )
    func refused() async throws {
        let fixture = try FetchFixture(json("{}"))
        // The port remains reserved by the server, so no other process can respond there.
        try fixture.server.stopListening()
        let ends = Collector<Int>()
        let task = fixture.session().start(.get(fixture.server.url + "/a")) { result in
            switch result {
            case .success: ends.add(0)
            case .failure(let error): ends.add(error.body.isEmpty ? error.code.rawValue : 0)
            }
        }
        _ = try? await task.response()
        #expect(ends.elements == [-1004])
    }

    @Test(
        "A response whose JSON has an error status fails the call once",
        .checks("afexample.business-status-gate"),
        arguments: [("success", true), ("error", false)]
    )
    func businessStatus(status: String, succeeds: Bool) async throws {
        let fixture = try FetchFixture(json("{\"status\":\"\(status)\",\"data\":[1]}"))
        let data = try? await fixture.session().send(MockData())
        #expect((data == [1]) == succeeds)
        if !succeeds {
            do throws(FetchError) {
                _ = try await fixture.session().send(MockData())
            } catch {
                #expect(error.kind == .invalid)
                #expect(error.status == 200)
                #expect(error.reason == "The service says \"error\".")
            }
        }
    }

    @Test(
        "Of the documents' pages, one says success, and for the others the caller receives one error",
        .checks("mockserver.status-text-case"),
        arguments: [("fetchMockData", nil), ("get", "The service says \"Success\".")] as [(String, String?)]
    )
    func literalPages(path: String, reason: String?) async throws {
        let fixture = try FetchFixture(json("{}"))
        let session = fixture.session { $0.baseURL = fixture.server.url }
        var found: String?
        do throws(FetchError) {
            _ = try await session.send(MockData(path: path))
        } catch {
            found = error.reason
        }
        #expect(found == reason)
    }

    @Test(
        "One compound serializer decodes JSON and XML",
        .checks("afnetworking.serial.by-declared-type"),
        arguments: ["application/xml", "text/xml", "application/rss+xml"]
    )
    func compound(type: String) async throws {
        let fixture = try FetchFixture(Route.each(("/json", [json("[1]")]), ("/xml", [content(xml, type)])))
        let session = fixture.session(.afNetworking)
        #expect(try await session.get("json").json == [1])
        let root = try #require(try await session.get("xml").xml)
        #expect(root.name == "list")
        #expect(root.attributes == ["n": "1"])
        #expect(root.elements.map(\.text) == ["a & b", "<c>"])
        let onlyXML = fixture.session { $0.serializer = XMLSerializer() }
        #expect(await onlyXML.failure(.get("json"))?.kind == .unacceptableType)
    }

    @Test(
        "Parts are tried in order, and the first that can decode the content is used",
        .checks("afnetworking.serial.compound-order")
    )
    func order() throws {
        let calls = Lock([String]())
        let spies = ["first", "second", "third"].map { name in
            Spy(name: name, fails: name == "first") { call in calls.withLock { $0.append(call) } }
        }
        let compound = CompoundSerializer(spies)
        let value = try compound.value(of: ReceivedContent(contentType: "a/b", bytes: [1]))
        guard case .text("second") = value else { throw FetchError(.invalid, "The second must answer.") }
        #expect(calls.withLock { $0 } == ["first", "second"])
    }

    @Test(
        "Text is decoded by its character set, and rejected if it does not match it",
        arguments: [
            ("text/plain; charset=UTF-8", [0xC3, 0xA9], "é"),
            ("text/plain;charset=\"iso-8859-1\"", [0xE9], "é"),
            ("text/plain", [0xE9], nil), ("text/plain; charset=utf-16", [0, 65], nil),
        ] as [(String, [UInt8], String?)]
    )
    func text(type: String, bytes: [UInt8], expected: String?) {
        let value = try? TextSerializer().value(of: ReceivedContent(contentType: type, bytes: bytes))
        if case .text(let text) = value { #expect(text == expected) } else { #expect(expected == nil) }
    }

    @Test("XML is read whole, however long it is")
    func longXML() throws {
        let text = String(repeating: "aé", count: 100_000)
        let content = ReceivedContent(contentType: "text/xml", bytes: Array("<a>\(text)</a>".utf8))
        guard case .xml(let root) = try XMLSerializer().value(of: content) else {
            throw FetchError(.invalid, "XML must be an element.")
        }
        #expect(root == XMLElement(name: "a", children: [.text(text)]))
    }

    @Test(
        "XML that is malformed, declares entities or is nested too deeply is rejected",
        arguments: [
            ("<a><b></a>", "line 1"), ("", "The content is not XML"),
            ("<!DOCTYPE a [<!ENTITY x \"y\"><!ENTITY z \"&x;&x;\">]><a>&z;</a>", "it declares entities"),
            ("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>", "it declares entities"),
            (String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300), "limit of 256"),
            ("{}", "line 1"), ("<a/><b/>", "line 1"), ("<a>\u{0}</a>", "line 1"),
        ]
    )
    func brokenXML(text: String, reason: String) {
        do throws(FetchError) {
            _ = try XMLSerializer().value(
                of: ReceivedContent(contentType: "text/xml", bytes: Array(text.utf8))
            )
            Issue.record("it must be refused")
        } catch {
            #expect(error.kind == .undecodable)
            #expect(error.reason.contains(reason), "\(error.reason)")
        }
    }

    @Test("Serializers do not run on the main actor", .checks("afnetworking.http.parse-off-main"))
    @MainActor
    func offMain() async throws {
        let fixture = try FetchFixture(json("{}"))
        let isMain = Collector<Bool>()
        let main = await MainThread()
        let spy = Spy(name: "spy", fails: false) { _ in isMain.add(main.isCurrent) }
        _ = try await fixture.session(.afNetworking) { $0.serializer = spy }.get("a")
        #expect(isMain.elements == [false])
    }
}

/// The documents' first call: the result is in `data`, and `status` says whether it is valid.
private struct MockData: APIRequest {
    typealias Output = JSONValue
    var path = "fetchMockData"

    func validate(_ response: FetchResponse) throws(FetchError) {
        let status = response.json?["status"]?.text ?? "nothing"
        guard status == "success" else { throw FetchError(.invalid, "The service says \"\(status)\".") }
    }

    func output(of response: FetchResponse) throws(FetchError) -> JSONValue {
        response.json?["data"] ?? .null
    }
}

/// A serializer that records its calls.
struct Spy: ResponseSerializer {
    let name: String
    let fails: Bool
    let onCall: @Sendable (String) -> Void

    func accepts(mediaType: String?) -> Bool { true }

    func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        onCall(name)
        if fails { throw FetchError(.undecodable, "\(name) cannot.") }
        return .text(name)
    }
}
