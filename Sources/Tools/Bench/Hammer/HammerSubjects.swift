import CacheClient
import CacheStorage
import Clocks
import Fetching
import ImageLoading
import MockOrigin
import OriginScript

/// The objects that the tasks of the hammer share: a server, a session with all options, downloads, loaders and slots.
final class HammerSubjects: Sendable {
    static let pictures = 48
    let server: MockServer
    let session: FetchSession
    let downloads: Downloads
    let folder: String
    /// A loader like SDWebImage's, with little memory, and one like AFNetworking's.
    let loaders: [ImageLoader]
    /// Slots that all tasks use.
    let slots: [ImageSlot]
    let pressure = ScriptedMemoryPressure()
    let network = ScriptedReachability(.wired)
    let tally = HammerTally()

    init(folder: String) throws {
        self.folder = folder
        server = try MockServer.started(routes: try Self.routes())
        let transport = try CurlTransport(connectionsPerHost: 64)
        session = try Self.session(server.url, folder, transport, network)
        downloads = Downloads(session, partialFolder: folder + "/parts")
        var small = ImageProfile.sdWebImage
        small.memory = .byCost(.pixels, limit: 24 * 8 * Self.pictures / 2)
        small.disk?.sizeLimit = .kibibytes(64)
        small.loads.failureLifetime = .milliseconds(50)
        var other = ImageProfile.afNetworking
        other.downloads.concurrency = 16
        small.downloads.concurrency = 16
        let profiles = [small, other]
        let pressure = pressure
        loaders = try profiles.enumerated().map { number, profile in
            try profile.loader(
                directory: "\(folder)/images-\(number)",
                transport: transport,
                clock: SharedSubjects.clock,
                pressure: pressure
            )
        }
        let loaders = loaders
        slots = (0..<16).map { ImageSlot(loader: loaders[$0 % 2], behaviour: profiles[$0 % 2].slots) }
    }

    private static func session(
        _ url: String,
        _ folder: String,
        _ transport: CurlTransport,
        _ network: ScriptedReachability
    ) throws -> FetchSession {
        var configuration = FetchConfiguration.sjNetwork
        configuration.baseURL = url
        configuration.callbacks = .anywhere
        configuration.maximumInFlight = 24
        configuration.interceptors = [
            RetryInterceptor(clock: SharedSubjects.clock) { $0.firstDelay = .milliseconds(1) }
        ]
        return FetchSession(
            configuration,
            store: try CacheStore(.init(directory: folder + "/http"), clock: SharedSubjects.clock),
            cache: ApplicationCache(folder: folder + "/results", clock: SharedSubjects.clock),
            cookies: CookieStorage(clock: SharedSubjects.clock),
            reachability: network,
            transport: transport,
            clock: SharedSubjects.clock
        )
    }

    // MARK: Served content

    /// Returns the URL of a picture, whose width is its number.
    func picture(_ number: Int) -> String { server.url + "/picture/\(number)" }

    private static func routes() throws -> [Route] {
        var routes = [
            route("/missing", [status(404)]), route("/broken", [broken()]), route("/file", [file()]),
        ]
        for number in 1...pictures {
            routes.append(route("/picture/\(number)", [try picture(number)]))
            routes.append(route("/json/\(number)", [json(number)]))
        }
        return routes
    }

    private static func route(_ path: String, _ answers: [Answer]) -> Route {
        Route(label: path, path: .exact(path), answers: answers)
    }

    private static func status(_ status: Int) -> Answer {
        var answer = Answer()
        answer.status = status
        return answer
    }

    private static func broken() -> Answer {
        var answer = Answer()
        answer.body = .generated(size: 10_000)
        answer.faults = [Fault(.reset, at: .body, byte: 5_000)]
        return answer
    }

    private static func file() -> Answer {
        var answer = Answer()
        answer.entityTag = .literal("\"file\"")
        answer.ranges = .offered
        answer.body = .generated(size: 100_000)
        answer.chunks = [10_000]
        answer.chunkDelay = .milliseconds(1)
        return answer
    }

    /// Returns a picture: every third is fresh for a second, some are delayed, and half are JPEGs.
    private static func picture(_ number: Int) throws -> Answer {
        let size = PixelSize(width: number, height: 8)
        guard let pixels = PixelBuffer(size: size, red: 200, green: UInt8(number), blue: 0) else {
            throw Failure(status: 70, text: "no image")
        }
        let codec: any ImageCodec = number.isMultiple(of: 2) ? PNGCodec() : JPEGCodec()
        var answer = Answer()
        answer.body = .bytes(try codec.encode(pixels, quality: 0.9))
        answer.entityTag = .md5
        answer.fields = [
            FieldLine("Content-Type", .text(number.isMultiple(of: 2) ? "image/png" : "image/jpeg"))
        ]
        if number % 3 == 0 { answer.fields.append(FieldLine("Cache-Control", .text("max-age=1"))) }
        if number % 8 == 1 { answer.delay = .milliseconds(2) }
        return answer
    }

    private static func json(_ number: Int) -> Answer {
        var answer = Answer()
        answer.fields = [
            FieldLine("Content-Type", .text("application/json")),
            FieldLine("Set-Cookie", .text("c\(number)=\(number)")),
        ]
        if number % 3 == 0 { answer.fields.append(FieldLine("Cache-Control", .text("max-age=1"))) }
        if number % 8 == 1 { answer.delay = .milliseconds(2) }
        answer.body = .text("{\"number\": \(number)}")
        return answer
    }

    // MARK: The end

    /// Waits until nothing runs, and reports errors.
    func settle() async {
        network.status = .wired
        downloads.cancelAll()
        session.pool.cancelAll()
        for slot in slots { slot.cancel() }
        let limit = Samples.now() + 30_000_000_000
        while isBusy, Samples.now() < limit {
            // There is no event for this state; nothing is measured here.
            try? await SharedSubjects.clock.sleep(for: .milliseconds(1))
        }
        tally.expect(session.pool.count == 0, "the pool still has \(session.pool.descriptions)")
        tally.expect(downloads.running.isEmpty, "downloads still run")
        for loader in loaders {
            tally.expect(loader.runningLoads == 0, "\(loader.runningLoads) loads still run")
            tally.expect(
                loader.downloader.runningTransfers == 0,
                "\(loader.downloader.runningTransfers) transfers still run"
            )
            for failure in loader.store.failures { tally.isWrong(failure.description) }
        }
        tally.expect(tally.openCount == 0, "\(tally.openCount) callbacks were not called")
    }

    private var isBusy: Bool {
        session.pool.isBusy || !downloads.running.isEmpty || tally.openCount > 0
            || loaders.contains { $0.runningLoads > 0 || $0.downloader.runningTransfers > 0 }
    }
}
