import Clocks
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import Conformance

@Suite("The built-in client as a driver", .timeLimit(.minutes(20)))
struct BuiltinDriverTests {
    @Test("A dump has each variant of a URL, with the fields of its request that Vary names")
    func dumpsVariants() async throws {
        var answer = Answer(body: "one")
        answer.fields = [
            FieldLine("Cache-Control", .text("max-age=60")), FieldLine("Vary", .text("Accept-Language")),
        ]
        let server = try MockServer.started(routes: [Route("/a", answer)])
        defer { server.stop() }
        let driver = try StartedDriver()
        let url = server.url("/a")
        _ = try await driver.ask(Self.request(1, url, language: "de"))
        _ = try await driver.ask(Self.request(2, url, language: "fr"))
        let entries = try #require(try await driver.ask(#"{"id":3,"op":"dump"}"#).entries)
        #expect(entries.map(\.url) == [url, url])
        #expect(entries.map(\.body) == [Array("one".utf8), Array("one".utf8)])
        let languages = entries.map { CacheFields.values(of: "accept-language", in: $0.request ?? []) }
        #expect(Set(languages) == [["de"], ["fr"]])
    }

    private static func request(_ id: Int, _ url: String, language: String) -> String {
        var request = SubjectRequest(method: "GET", url: url, fields: [("Accept-Language", language)])
        request.followsRedirects = true
        return DriverCommand.request(request).line(id: id)
    }

    /// A driver whose replies can be awaited.
    private struct StartedDriver {
        private let replies: Lock<[DriverReply]>
        private let driver: BuiltinDriver

        init() throws {
            let replies = Lock<[DriverReply]>([])
            self.replies = replies
            driver = try BuiltinDriver(kind: .private, version: "1") { line in
                guard let reply = try? DriverReply.decode(Array(line.utf8), file: "reply") else { return }
                replies.withLock { $0.append(reply) }
                news.signal()
            }
        }

        /// Returns the reply to a command, the last one that was written.
        func ask(_ line: String) async throws -> DriverReply {
            let count = replies.withLock { $0.count }
            driver.take(line)
            await news.wait { replies.withLock { $0.count } > count }
            return try #require(replies.withLock { $0.last })
        }
    }
}
