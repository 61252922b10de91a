import CacheClient
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("The debug log", .timeLimit(.minutes(20)))
struct LogTests {
    private static let mark = "=========== "

    @Test("By default nothing is logged", .checks("sjnetwork.log.default-off"))
    func defaultOff() async throws {
        let fixture = try FetchFixture(json("{}"))
        let lines = Collector<String>()
        let session = fixture.session(.sjNetwork, hasCache: true) { $0.debugLog = { lines.add($0) } }
        _ = try await session.send(.post("a").cached(for: .seconds(180)))
        _ = try await session.send(.post("a").cached(for: .seconds(180)))
        _ = await session.failure(.get("http://127.0.0.1:1/"))
        #expect(lines.elements.isEmpty)
    }

    @Test(
        "A request logs start, URL, method and parameters, then success with URL and object",
        .checks("sjnetwork.log.on", "sjnetwork.log.request-lines")
    )
    func requestLines() async throws {
        let fixture = try FetchFixture(json("{\"code\":200,\"msg\":\"\"}"))
        let lines = Collector<String>()
        let session = fixture.session(.sjNetwork) {
            $0.logsDebug = true
            $0.debugLog = { lines.add($0) }
            $0.defaultParameters = ["platform": "iOS"]
        }
        _ = try await session.get("toutiao/index", ["type": "top"])
        #expect(
            lines.elements
                == [
                    "Start requesting...", "url:\(fixture.base)/toutiao/index", "method:GET",
                    "parameters:{\n  \"platform\" : \"iOS\",\n  \"type\" : \"top\"\n}", "Request succeed!",
                    "Request url:\(fixture.base)/toutiao/index",
                    "Response object:{\n  \"code\" : 200,\n  \"msg\" : \"\"\n}",
                ].map { Self.mark + $0 }
        )
    }

    @Test(
        "An expired entry logs: load failed, start, success, cache written with path and duration",
        .checks("sjnetwork.cache.expired-sequence", "sjnetwork.log.cache-write")
    )
    func expiredSequence() async throws {
        let fixture = try FetchFixture(json("{}"))
        let lines = Collector<String>()
        let session = fixture.session(.sjNetwork, hasCache: true) {
            $0.logsDebug = true
            $0.debugLog = { lines.add($0) }
        }
        let request = FetchRequest.get("a").cached(for: .seconds(180))
        let identifier = try await session.send(request).request.identifier
        fixture.clock.advance(by: .seconds(181))
        let before = lines.elements.count
        _ = try await session.send(request)
        #expect(
            lines.elements.dropFirst(before).elementsEqual(
                [
                    "Load cache info failed, reason:Cache is expired, begin to clear cache...",
                    "Load cache failed: Cache info is invalid",
                    "Failed to load cache, start to sending network request...", "Start requesting...",
                    "url:\(fixture.base)/a", "method:GET", "parameters:{}", "Request succeed!",
                    "Request url:\(fixture.base)/a", "Response object:{}", "Write cache succeed!",
                    "cache object: {}",
                    "Cache path: \(fixture.folder.path)/cache/\(identifier).cacheData",
                    "Available duration: 180 seconds",
                ].map { Self.mark + $0 }
            )
        )
    }

    @Test(
        "An expired entry, a missing one and one of another version are logged with different reasons",
        .checks("sjnetwork.log.reasons")
    )
    func reasons() async throws {
        let fixture = try FetchFixture(json("{}"))
        let lines = Collector<String>()
        let session = fixture.session(.sjNetwork, hasCache: true) {
            $0.logsDebug = true
            $0.debugLog = { lines.add($0) }
            $0.applicationVersion = "1"
        }
        let request = FetchRequest.get("a").cached(for: .seconds(180))
        _ = try await session.send(request)
        fixture.clock.advance(by: .seconds(181))
        _ = try await session.send(request)
        session.configure { $0.applicationVersion = "2" }
        _ = try await session.send(request)
        let reasons = lines.elements.filter { $0.contains("reason:") }.map {
            String($0.dropFirst(Self.mark.count))
        }
        #expect(
            reasons == [
                "Load cache info failed, reason:Cache does not exist",
                "Load cache info failed, reason:Cache is expired, begin to clear cache...",
                "Load cache info failed, reason:Cache is of application version \"1\", begin to clear cache...",
            ]
        )
    }

    @Test("A failure is logged with its reason")
    func failure() async throws {
        let fixture = try FetchFixture(json("{}") { $0.status = 500 })
        let lines = Collector<String>()
        let session = fixture.session {
            $0.logsDebug = true
            $0.debugLog = { lines.add($0) }
        }
        _ = await session.failure(.get("a"))
        #expect(
            lines.elements.contains(
                Self.mark + "Request failed, reason:The server responded with status 500."
            )
        )
    }

    @Test(
        "The description of an ordinary request has eight labelled fields",
        .checks("sjnetwork.log.model-description")
    )
    func description() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session(.sjNetwork, hasCache: true)
        let task = session.start(.get("toutiao/index", ["type": "top"]).cached(for: .seconds(5)))
        await fixture.waitForParked(1)
        #expect(
            session.pool.descriptions == [
                """
                {
                   <RequestModel: 1>
                   type:              ordinary request
                   method:            GET
                   url:               \(fixture.base)/toutiao/index
                   parameters:        {"type":"top"}
                   loadCache:         YES
                   cacheDuration:     5 seconds
                   requestIdentifier: \(task.request.identifier)
                   task:              <FetchTask 1> { running }
                }
                """
            ]
        )
        fixture.origin.release(label: nil)
        _ = try await task.response()
        let upload = session.start(.post("image").with { $0.kind = .upload })
        #expect(upload.request.description.contains("upload request"))
        #expect(!upload.request.description.contains("loadCache"))
        upload.cancel()
        _ = try? await upload.response()
    }
}
