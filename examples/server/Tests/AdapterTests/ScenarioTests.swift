import AsyncHTTPClient
import AsyncHTTPClientCache
import Conformance
import Hummingbird
import HummingbirdCache
import Logging
import NIOCore
import NIOEmbedded
import Testing

@Suite("The adapters of the engine under the scenarios", .timeLimit(.minutes(10)))
struct ScenarioTests {
    private static let client: HTTPClient = {
        var configuration = CachingHTTPClient.configuration
        // All scenarios ask one origin at the same time, and some have it wait.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    @Test("AsyncHTTPClient with a cache passes every required scenario", arguments: CacheKind.allCases)
    func asyncHTTPClient(_ kind: CacheKind) async throws {
        let capabilities: InProcessSubject.Capabilities = [.removesAll, .policies]
        let subject = InProcessSubject("AsyncHTTPClient", kind: kind, capabilities: capabilities) { context in
            let clock = context.clock
            return ClientSubject(cache: CachingHTTPClient(Self.client, kind: kind, now: { clock.now }))
        }
        try await Self.run(subject)
    }

    @Test(
        "Hummingbird with a cache as middleware passes every required scenario",
        arguments: CacheKind.allCases
    )
    func hummingbird(_ kind: CacheKind) async throws {
        let subject = InProcessSubject("Hummingbird", kind: kind, capabilities: [.removesAll]) { context in
            let clock = context.clock
            let cache = CacheMiddleware<BasicRequestContext>(kind: kind, now: { clock.now })
            return MiddlewareSubject(cache: cache, context: context)
        }
        try await Self.run(subject)
    }

    /// Runs the required scenarios for HTTP that the subject can be asked.
    private static func run(_ subject: InProcessSubject) async throws {
        let scenarios = try Scenario.load("scenarios/http", level: .must, for: subject.kind)
        var options = RunOptions()
        (options.subject, options.jobs) = (.inProcess(subject), 8)
        // Both suites run at once, on the threads of Swift's executor.
        options.patience = .seconds(240)
        var passed = 0
        for try await event in Runner(scenarios, options: options).events {
            guard case .scenarioFinished(let result) = event else { continue }
            #expect(result.conforms, "\(result.explanation)")
            if case .passed = result.verdict { passed += 1 }
        }
        print("\(subject.name), \(subject.kind): \(passed) of \(scenarios.count) scenarios passed")
        // The others need what the subject does not offer, such as restarts and following redirects.
        #expect(passed * 10 > scenarios.count * 7, "Only \(passed) of \(scenarios.count) scenarios were run.")
    }
}

/// A client that sends over the network itself.
private struct ClientSubject: Subject {
    let cache: CachingHTTPClient

    func respond(to request: SubjectRequest) async throws -> SubjectResponse {
        let reply = try await cache.reply(
            to: HTTPRequest(request),
            content: request.body ?? [],
            policy: request.policy ?? .useProtocolCachePolicy
        )
        return SubjectResponse(
            status: reply.head.status.code,
            fields: reply.head.headerFields,
            body: reply.content
        )
    }

    func removeAll() async { await cache.removeAll() }

    func finishBackgroundWork() async { await cache.finishValidations() }
}

/// A middleware whose handler asks the scenario's origin.
private struct MiddlewareSubject: Subject {
    let cache: CacheMiddleware<BasicRequestContext>
    let context: SubjectContext

    func respond(to request: SubjectRequest) async throws -> SubjectResponse {
        let body = RequestBody(buffer: ByteBuffer(bytes: request.body ?? []))
        let channel = EmbeddedChannel()
        let source = ApplicationRequestContextSource(channel: channel, logger: Logger(label: "scenario"))
        let response = try await cache.handle(
            Request(head: HTTPRequest(request), body: body),
            context: BasicRequestContext(source: source)
        ) { request, _ in try await handler(request) }
        var content = try await response.body.collected
        if request.method == "HEAD" { content = [] }
        return SubjectResponse(
            status: response.status.code,
            fields: response.headers,
            body: content
        )
    }

    func removeAll() { cache.removeAll() }

    func finishBackgroundWork() {}

    private func handler(_ request: Request) async throws -> Response {
        var request = request
        let content = Array(buffer: try await request.collectBody(upTo: 1 << 24))
        let sent = SubjectRequest(request.head, content)
        let received = try await context.send(sent)
        return Response(
            status: .init(code: received.status),
            headers: received.headerFields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: received.body))
        )
    }
}
