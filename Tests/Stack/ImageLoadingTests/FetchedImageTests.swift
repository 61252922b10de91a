import CacheClient
import Clocks
import Fetching
import HTTPServing
import ImageLoading
import JSON
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Images as responses of the networking stack", .timeLimit(.minutes(20)))
struct FetchedImageTests {
    /// Returns a server with a single response, and a session of the chained fetcher with images.
    private func fixture(_ bytes: [UInt8], _ type: String) throws -> (MockServer, FetchSession) {
        var answer = Answer()
        answer.fields = [FieldLine("Content-Type", .text(type))]
        answer.body = .bytes(bytes)
        let clock = VirtualClock(wallSeconds: 1_767_225_600)
        let server = try MockServer.started(routes: [Route(label: "1", answers: [answer])], clock: clock)
        return (server, try Self.session(server, .sqFetch, clock))
    }

    private static func session(
        _ server: MockServer,
        _ profile: FetchConfiguration,
        _ clock: any TimeSource
    ) throws -> FetchSession {
        var configuration = profile
        configuration.baseURL = server.url
        configuration.callbacks = .anywhere
        return FetchSession(configuration, transport: try CurlTransport(), clock: clock)
    }

    @Test(
        "A JPEG is decoded into an image of its size, four opaque bytes per pixel",
        .checks("sqfetch.response.jpeg", "sqfetch.response.jpeg-force-decode")
    )
    func jpeg() async throws {
        let (server, session) = try fixture(TestImages.jpeg(16, 8), "image/jpeg")
        defer { server.stop() }
        let image = try #require(try await session.get("image").image)
        #expect(image.size == PixelSize(width: 16, height: 8))
        #expect(image.isDecoded)
        let pixels = try image.pixels()
        #expect(pixels.bytes.count == 16 * 8 * 4)
        #expect(!pixels.hasTransparency)
    }

    @Test("The orientation of a JPEG is preserved", .checks("sqfetch.response.jpeg-orientation"))
    func orientation() async throws {
        let (server, session) = try fixture(TestImages.jpeg(exif: 6), "image/jpeg")
        defer { server.stop() }
        let image = try #require(try await session.get("image").image)
        #expect(image.size == PixelSize(width: 8, height: 6))
        #expect((image.pointWidth, image.pointHeight) == (6, 8))
        #expect(image.header.orientation == .right)
    }

    @Test("Bytes that are not a JPEG fail the request", arguments: ["image/jpeg"])
    func corrupt(type: String) async throws {
        let (server, session) = try fixture([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], type)
        defer { server.stop() }
        do throws(FetchError) {
            _ = try await session.get("image")
            Issue.record("it must fail")
        } catch {
            #expect(error.kind == .undecodable)
            #expect(error.body.count == 10)
        }
    }

    @Test(
        "One compound serializer decodes JSON, XML and images",
        .checks("afnetworking.serial.chain"),
        arguments: ["json", "xml", "jpeg"]
    )
    func chain(kind: String) async throws {
        let contents: [String: (bytes: [UInt8], type: String)] = [
            "json": (Array("{\"a\":1}".utf8), "application/json"), "xml": (Array("<a/>".utf8), "text/xml"),
            "jpeg": (try TestImages.jpeg(), "image/jpeg"),
        ]
        let content = try #require(contents[kind])
        let (server, _) = try fixture(content.bytes, content.type)
        defer { server.stop() }
        var profile = FetchConfiguration.afNetworking
        profile.serializer = CompoundSerializer([profile.serializer, ImageSerializer()])
        let session = try Self.session(server, profile, SystemClock())
        let response = try await session.get("a")
        #expect((response.json != nil) == (kind == "json"))
        #expect((response.xml?.name == "a") == (kind == "xml"))
        #expect((response.image != nil) == (kind == "jpeg"))
    }

    @Test(
        "The documents' example chain runs in order against the demo server",
        .checks("sqfetch.chain.example")
    )
    func example() async throws {
        let clock = SystemClock()
        let server = MockServer(MockServer.Configuration(), clock: clock)
        try server.start()
        defer { server.stop() }
        let session = try Self.session(server, .sqFetch, clock)
        let order = Lock([String]())
        func note(_ name: String) -> FetchChain.Success {
            { value in order.withLock { $0.append(value.image == nil ? name : name + " image") } }
        }
        let results = await FetchChain(session, .serial)
            .get("fetchMockData", success: note("mock"))
            .get(
                "get",
                [
                    "username": "Castie!", "passwd": "01234", "param0": "0.0", "param1": "1.1",
                    "param2": "2.2",
                    "param3": "3.3", "param4": "4.4",
                ],
                success: note("get")
            )
            .post(
                "post",
                [
                    "username": "Castie!", "passwd": "56789", "param5": "5.5", "param6": "6.6",
                    "param7": "7.7",
                    "param8": "8.8", "param9": "9.9",
                ],
                success: note("post")
            )
            .get("image", success: note("image"))
            .results()
        #expect(order.withLock { $0 } == ["mock", "get", "post", "image image"])
        #expect(try results.map { try $0.get().status } == [200, 200, 200, 200])
        let journal = server.journal()
        #expect(
            journal.map { "\($0.request.method) \($0.request.target)" } == [
                "GET /fetchMockData",
                "GET /get?param0=0.0&param1=1.1&param2=2.2&param3=3.3&param4=4.4&passwd=01234&username=Castie%21",
                "POST /post", "GET /image",
            ]
        )
        #expect(
            String(decoding: journal[2].request.body, as: UTF8.self)
                == "param5=5.5&param6=6.6&param7=7.7&param8=8.8&param9=9.9&passwd=56789&username=Castie%21"
        )
    }
}
