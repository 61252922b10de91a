import CacheClient
import Clocks
import Fetching
import HTTPServing
import ImageLoading
import JSON
import MockOrigin
import Testing
import TestSupport

@Suite("The example of docs/networking-stack.md", .timeLimit(.minutes(20)))
struct ReadmeTests {
    @Test(
        "The example is this code, which runs against the demo server with one import of the stack",
        .checks("sjnetwork.structure.single-import")
    )
    func example() async throws {
        let server = MockServer(MockServer.Configuration(), clock: SystemClock())
        try server.start()
        defer { server.stop() }
        let folder = try TestFolder()
        try await run(server.url, folder.path)
        #expect(
            server.journal().map { "\($0.request.method) \($0.request.target)" } == [
                "POST /post", "GET /get?app_version=1.0", "POST /post", "GET /get?app_version=1.0",
                "GET /get?app_version=1.0&k=200",
            ]
        )
        let own = try readText(#filePath).split(separator: "// EXAMPLE\n")
        let code = own[1].split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            line.hasPrefix("        ") ? String(line.dropFirst(8)) : String(line)
        }.joined(separator: "\n")
        let page = try readText(packageFolder + "/docs/networking-stack.md")
        let program = try #require(page.split(separator: "```swift\n").dropFirst().first)
        #expect(program.split(separator: "\n").count { $0.hasPrefix("import ") } == 1)
        let shown = code.replacing("folder: folder", with: "folder: \"/tmp/results\"")
        #expect(
            page.contains(shown),
            "docs/networking-stack.md and this test differ:\n\(shown)"
        )
    }

    private func run(_ base: String, _ folder: String) async throws {
        // EXAMPLE
        let clock = SystemClock()
        let session = FetchSession(
            .sjNetwork,
            cache: ApplicationCache(folder: folder, clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
        session.configure {
            $0.baseURL = base
            $0.defaultParameters = ["app_version": "1.0"]
            $0.interceptors = [RetryInterceptor(clock: clock)]
        }

        let answer = try await session.send(.post("post", ["k": 1]).cached(for: .seconds(180)))
        print(answer.json?["status"]?.text ?? "none", answer.source)

        let chain = FetchChain(session, .serial)
            .get("get", success: { print("first", $0) })
            .post("post", ["k": 2], failure: { print("second", $0) })
        print(await chain.results().count, session.pool.count)

        let both = try await FetchBatch(session) {
            FetchRequest.get("get")
            FetchBatch.Member("next", after: "1") { done in
                .get("get", ["k": .integer(done["1"]?.status ?? 0)])
            }
        }.run()
        print(both.map(\.status), try await session.cacheSize().text)
        // EXAMPLE
    }

    private func readText(_ path: String) throws -> String {
        let folder = FileFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        let name = String(path.split(separator: "/").last ?? "")
        return String(decoding: try #require(try folder.read(name)), as: UTF8.self)
    }
}
