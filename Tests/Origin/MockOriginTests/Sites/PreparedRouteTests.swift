import Clocks
@testable import HTTPServing
@testable import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Prepared routes", .timeLimit(.minutes(20)), .blocking)
struct PreparedRouteTests {
    private let clock = VirtualClock(wallSeconds: MockServerFixture.begin)

    private func handler(_ routes: [Route] = [], folder: String? = nil, pages: [String: [PageSetting]] = [:])
        -> OriginHandler
    {
        var configuration = MockServer.Configuration()
        configuration.site = Site(
            routes: routes,
            pages: pages,
            files: folder == nil ? nil : Site.standardFiles
        )
        configuration.fixtureFolder = folder
        return OriginHandler(configuration, clock: clock)
    }

    private func route(_ answer: Answer, at path: String = "/a") -> Route {
        Route(label: "r", path: .exact(path), answers: [answer])
    }

    // MARK: Prepared responses

    /// An answer, named for its distinguishing property.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var route: Route
        var target = "/a"
        var lines: [String] = []

        init(
            _ name: String,
            path: PathPattern = .exact("/a"),
            target: String = "/a",
            _ lines: [String] = [],
            _ change: (inout Answer) -> Void
        ) {
            (testDescription, self.target, self.lines) = (name, target, lines)
            route = Route(label: "r", path: path, answers: [.text("hello", change)])
        }
    }

    static let steady: [Case] = [
        Case("a text") { _ in },
        Case("a status and its fields") { answer in
            answer.status = 404
            answer.fields = [FieldLine("X-A", .text("1")), FieldLine("X-A", .text("2"))]
        },
        Case("in one chunk") { $0.framing = .chunked },
        Case("no content, in chunks") { ($0.body, $0.framing) = (.text(""), .chunked) },
        Case("validators from the content") {
            ($0.entityTag, $0.lastModified) = (.md5, .offset(.seconds(-60)))
        },
        Case("dates that move with the clock") { answer in
            answer.fields = [FieldLine("Expires", .date(offset: .seconds(60), form: .imf))]
            answer.date = .offset(.seconds(-5))
        },
        Case("a template of the path and the query", path: .prefix("/a"), target: "/a/b?c=d%20e") { answer in
            answer.body = Template("${path} ${query.c} ${unix}").map { .template($0) } ?? answer.body
        },
        Case("gzip that is asked for", ["Accept-Encoding: br, gzip"]) { answer in
            (answer.gzip, answer.entityTag) = (.offered, .literal("\"v\""))
        },
        Case("gzip that is not asked for", ["Accept-Encoding: gzip;q=0"]) { answer in
            (answer.gzip, answer.entityTag) = (.offered, .literal("\"v\""))
        },
        Case("generated content") { $0.body = .generated(size: 60_000) },
        Case("content of 64 KiB") { $0.body = .generated(size: 64 << 10) },
        Case("redirects and cookies") { answer in
            answer.status = 302
            answer.fields = [
                FieldLine("Location", .text("${base}/b")), FieldLine("Set-Cookie", .text("a=b; Path=/")),
            ]
        },
    ]

    @Test("A prepared response has the same bytes as one that is not, and the same record", arguments: steady)
    func sameBytes(_ row: Case) throws {
        let server = try MockServer.started(routes: [row.route], clock: clock)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        var answers: [RawResponse] = []
        for _ in 1...3 {
            try client.request("GET", row.target, row.lines)
            answers.append(try client.response())
        }
        for answer in answers.dropFirst() {
            #expect(answer.statusLine == answers[0].statusLine)
            #expect(
                answer.fields.map { "\($0.name): \($0.value)" }
                    == answers[0].fields.map { "\($0.name): \($0.value)" }
            )
            #expect(answer.body == answers[0].body)
        }
        let entries = server.journal()
        #expect(entries.map(\.route) == ["r", "r", "r"])
        #expect(entries.map(\.request.requestsBefore) == [0, 1, 2])
        for entry in entries {
            #expect(entry.status == entries[0].status)
            #expect(entry.answerFields == entries[0].answerFields)
            #expect(entry.request.fields == entries[0].request.fields)
            #expect(entry.bytesSent == entries[0].bytesSent)
        }
        #expect(server.acceptedConnections == 1)
    }

    /// Returns whether a second request for a target gets a prepared response.
    private func isPrepared(_ handler: OriginHandler, _ target: String = "/a", _ lines: String = "") -> Bool {
        _ = handler.reply(to: ServedRequest(method: "GET", target: target))
        return response(handler, target, lines) != nil
    }

    private func response(
        _ handler: OriginHandler,
        _ target: String = "/a",
        _ lines: String = "",
        requestsBefore: Int = 0
    ) -> PreparedResponse? {
        let lines = "Host: localhost\r\n" + lines
        return Array("GET".utf8).withUnsafeBufferPointer { method in
            Array(target.utf8).withUnsafeBufferPointer { target in
                Array(lines.utf8).withUnsafeBufferPointer { lines in
                    handler.preparedResponse(
                        for: RequestHead(
                            method: method,
                            target: target,
                            fieldLines: lines,
                            connection: 1,
                            peerPort: 1,
                            requestsBefore: requestsBefore,
                            isHTTP11: true
                        )
                    )
                }
            }
        }
    }

    @Test("A plain route is prepared by the previous request", arguments: steady)
    func prepared(_ row: Case) {
        #expect(isPrepared(handler([row.route]), row.target, row.lines.map { $0 + "\r\n" }.joined()))
    }

    @Test(
        "A page is prepared, even with settings in its query",
        arguments: ["/get", "/get?etag=md5", "/image"]
    )
    func pages(target: String) {
        #expect(isPrepared(handler(), target))
    }

    @Test("The list of pages is not prepared, because it depends on Accept")
    func index() {
        #expect(!isPrepared(handler(), "/"))
    }

    // MARK: Responses that are not prepared

    struct Unsteady: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var routes: [Route]

        init(
            _ name: String,
            _ answer: (inout Answer) -> Void = { _ in },
            route change: (inout Route) -> Void = { _ in }
        ) {
            testDescription = name
            var route = Route(label: "r", path: .exact("/a"), answers: [.text("hello", answer)])
            change(&route)
            routes = [route]
        }
    }

    static let unsteady: [Unsteady] = [
        Unsteady("a sequence", route: { $0.answers.append(.text("second")) }),
        Unsteady("a field of the request") { answer in
            answer.body = Template("${field.X-A}").map { .template($0) } ?? answer.body
        },
        Unsteady("the number of the request") { $0.fields = [FieldLine("X-N", .text("${count}"))] },
        Unsteady("a schedule") { $0.changes.entityTag = .every(.seconds(10)) },
        Unsteady("a delay") { $0.delay = .seconds(1) },
        Unsteady("a pace") { $0.rate = 100 },
        Unsteady("a stall") { $0.hold = .head },
        Unsteady("pieces") { $0.chunks = [1, 2] },
        Unsteady("an interim answer") { $0.interim = [InterimAnswer(status: 103)] },
        Unsteady("the connection's end") { $0.framing = .close },
        Unsteady("a length that is not its own") { $0.fields = [FieldLine("Content-Length", .text("6"))] },
        Unsteady("its length before another field") { answer in
            answer.fields = [FieldLine("Content-Length", .text("5")), FieldLine("X-A", .text("1"))]
        },
        Unsteady("a reason of its own") { $0.reason = "Fine" },
        Unsteady("no content by its status") { $0.status = 204 },
        Unsteady("content of 64 KiB and a byte") { $0.body = .generated(size: (64 << 10) + 1) },
        Unsteady("a file that is not there") { $0.body = .file("nothing.json") },
        Unsteady("a name and a password", route: { $0.credentials = Credentials(users: ["a": "b"]) }),
        Unsteady("a field that it is for", route: { $0.fields = [NamedMatch("X-A", .present)] }),
        Unsteady("a time", route: { $0.until = .seconds(10) }),
        Unsteady("a state", route: { $0.when = ["m": Route.initialState] }),
        Unsteady("a change of state", route: { $0.then = ["m": "next"] }),
    ]

    @Test("A response that depends on more than the target is not prepared", arguments: unsteady)
    func notPrepared(_ row: Unsteady) {
        #expect(!isPrepared(handler(row.routes)))
    }

    @Test("A route is not prepared if another takes some requests for its path")
    func behind() {
        var first = route(.text("first"))
        (first.label, first.fields) = ("first", [NamedMatch("X-A", .present)])
        #expect(!isPrepared(handler([first, route(.text("second"))])))
        first.fields = []
        first.methods = ["POST"]
        #expect(isPrepared(handler([first, route(.text("second"))])))
        first.methods = []
        first.query = .parameters([NamedMatch("q", .present)])
        let both = handler([first, route(.text("second"))])
        #expect(isPrepared(both, "/a"))
        #expect(isPrepared(both, "/a?q=1"))
        #expect(response(both, "/a").map { $0.bytes.suffix(6) } == Array("second".utf8)[...])
        #expect(response(both, "/a?q=1").map { $0.bytes.suffix(5) } == Array("first".utf8)[...])
    }

    @Test(
        "A request with a condition or a range gets its own response",
        arguments: [
            "If-None-Match: \"v\"", "if-match: *", "IF-MODIFIED-SINCE: Thu, 01 Jan 2026 00:00:00 GMT",
            "If-Unmodified-Since: Thu, 01 Jan 2026 00:00:00 GMT", "Range: bytes=0-1", "range:bytes=0-1",
            "If-Range: \"v\"",
        ]
    )
    func conditional(line: String) {
        let handler = handler([route(.text("hello") { $0.entityTag = .literal("\"v\"") })])
        #expect(isPrepared(handler))
        #expect(!isPrepared(handler, "/a", line + "\r\n"))
        #expect(!isPrepared(handler, "/a", "Accept: */*\r\n" + line + "\r\nX-A: 1\r\n"))
    }

    // MARK: When it changes

    @Test("No prepared response outlives a change of the site, its faults or its network")
    func changes() throws {
        let handler = handler([route(.text("one"))])
        #expect(isPrepared(handler))
        handler.site.replace(Site(routes: [route(.text("two"))]))
        #expect(response(handler) == nil)
        #expect(isPrepared(handler))
        try handler.site.change { $0.routes[0].priority = 1 }
        #expect(response(handler) == nil)
        #expect(isPrepared(handler))
        handler.site.reset(keepsRoutes: false)
        #expect(response(handler) == nil)
        #expect(isPrepared(handler))
        let fault = Fault(.reset, at: .body)
        handler.site.use(FaultPlan(faults: [fault], scope: "test"))
        #expect(!isPrepared(handler))
        handler.site.use(FaultPlan(scope: "test"))
        #expect(isPrepared(handler))
        handler.site.use(network: NetworkSchedule(NetworkSchedule.Phase(NetworkProfile(name: "x"))))
        #expect(!isPrepared(handler))
        handler.site.use(network: nil)
        #expect(isPrepared(handler))
    }

    @Test("Requests with prepared responses are counted for their route")
    func counted() {
        let handler = handler([route(.text("one"))])
        #expect(isPrepared(handler))
        #expect(response(handler) != nil)
        #expect(handler.site.progress.counts == [3])
        #expect(handler.site.journal.entries().map(\.route) == ["r", "r", "r"])
    }

    @Test("A file that changes within the second is sent in its new state")
    func files() throws {
        let folder = try TestFolder(["a.txt": "one", "b.json": "{}", "c/index.html": "c"])
        let handler = handler([route(.with { $0.body = .file("b.json") }, at: "/b")], folder: folder.path)
        for target in ["/a.txt", "/b", "/c/"] { #expect(isPrepared(handler, target), "\(target)") }
        let before = try #require(response(handler, "/a.txt")).bytes
        #expect(String(decoding: before, as: UTF8.self).hasSuffix("\r\n\r\none"))
        try folder.write("a.txt", "three")
        let after = try #require(response(handler, "/a.txt")).bytes
        #expect(String(decoding: after, as: UTF8.self).hasSuffix("\r\n\r\nthree"))
        TestFolder.remove(folder.path + "/a.txt")
        #expect(response(handler, "/a.txt") == nil)
    }

    @Test("A response prepared for one coding is not sent to a client that does not accept it")
    func codings() throws {
        let handler = handler([route(.text("hello") { $0.gzip = .offered })])
        #expect(isPrepared(handler, "/a", "Accept-Encoding: gzip\r\n"))
        let coded = try #require(response(handler, "/a", "accept-encoding:gzip\r\n"))
        #expect(coded.fields.combined("Content-Encoding") == "gzip")
        let plain = try #require(response(handler, "/a"))
        #expect(plain.fields.combined("Content-Encoding") == nil)
        #expect(plain.fields.combined("Vary") == "Accept-Encoding")
        #expect(response(handler, "/a", "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n") == nil)
    }

    private func run(of handler: OriginHandler) -> OriginNamespace {
        let injector = FaultInjector(FaultPlan(scope: "run"), clock: clock)
        var setup = OriginNamespace.Setup(injector: injector, contents: handler.contents)
        (setup.base, setup.journalSize) = ("/-/run", 10)
        setup.site.routes = [route(.text("run ${path}"))]
        return OriginNamespace(setup)
    }

    @Test(
        "Of a connection's responses only incomplete ones are recorded as such, whichever fixture they belong to"
    )
    func cut() {
        let handler = handler([route(.text("one"))])
        let fixture = run(of: handler)
        #expect(handler.openRun("run", fixture))
        #expect(isPrepared(handler) && isPrepared(handler, "/-/run/a"))
        for (number, target) in ["/a", "/-/run/a", "/-/run/a"].enumerated() {
            #expect(response(handler, target, requestsBefore: 10 + number) != nil)
        }
        handler.preparedWasCut(connection: 1, after: 12)
        #expect(handler.site.journal.entries().allSatisfy { !$0.isAborted })
        #expect(fixture.journal.entries().map(\.isAborted).suffix(2) == [false, true])
        #expect(fixture.journal.entries().map { $0.bytesSent == nil }.suffix(2) == [false, true])
    }

    @Test("A run's routes are prepared separately, and no longer after its end")
    func runs() throws {
        let handler = handler()
        let fixture = run(of: handler)
        #expect(handler.openRun("run", fixture))
        #expect(isPrepared(handler, "/-/run/a"))
        #expect(fixture.journal.entries().map(\.request.target) == ["/a", "/a"])
        handler.closeRun("run")
        #expect(response(handler, "/-/run/a") == nil)
    }
}
