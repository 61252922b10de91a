import CacheClient
import CacheStorage
import Clocks
import HTTPServing
import HTTPTypes
import ImageLoading
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// A mock origin of images on loopback and its clients, on one virtual clock.
final class ImageOrigin: Sendable {
    let clock = VirtualClock(wallSeconds: 1_767_225_600)
    let server: MockServer
    let namespace: OriginNamespace
    let transport: CurlTransport
    let delivery = SignallingDelivery()

    init(_ routes: [Route]) throws {
        server = MockServer(clock: clock)
        try server.start()
        namespace = server.open(token: "t", routes: routes, clock: clock, startedAt: clock.wallSeconds)
        transport = try CurlTransport(connectionsPerHost: 32)
        namespace.onActivity { news.signal() }
        transport.loop.onIdle { news.signal() }
    }

    deinit { server.stop() }

    func url(_ path: String) -> String { "\(server.url)/-/t\(path)" }

    /// Returns the number of requests of a path; `nil` for all.
    func hits(_ path: String? = nil) -> Int { namespace.record().count { path == nil || $0.path == path } }

    var aborted: Int { namespace.record().count(where: \.isAborted) }
    var openExchanges: Int { namespace.record().count { !$0.isEnded } }

    /// Returns the fields of a request, by index.
    func fields(_ number: Int, _ name: String) -> [String] {
        let record = namespace.record()
        guard record.indices.contains(number) else { return [] }
        return record[number].fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    func downloader(
        urlCache: CacheStore? = nil,
        codecs: ImageCodecs = ImageCodecs(),
        _ change: (inout ImageDownloader.Configuration) -> Void = { _ in }
    ) -> ImageDownloader {
        var configuration = ImageDownloader.Configuration()
        change(&configuration)
        let onEnd = configuration.onEnd
        configuration.onEnd = { url in
            onEnd?(url)
            news.signal()
        }
        return ImageDownloader(
            configuration,
            transport: transport,
            urlCache: urlCache,
            clock: clock,
            delivery: delivery,
            codecs: codecs
        )
    }

    func urlCache() throws -> CacheStore {
        var configuration = CacheStore.Configuration()
        configuration.largestShare = 1
        return try CacheStore(configuration, clock: clock)
    }

    func loader(
        folder: TestFolder? = nil,
        memory: any ImageMemoryCache = CostImageCache(),
        codecs: ImageCodecs = ImageCodecs(),
        _ change: (inout ImageLoader.Configuration) -> Void = { _ in },
        downloads: (inout ImageDownloader.Configuration) -> Void = { _ in }
    ) throws -> ImageLoader {
        var configuration = ImageLoader.Configuration()
        change(&configuration)
        let disk = folder.map { folder in
            DiskImageCache(DiskImageCache.Configuration(directory: folder.path), clock: clock)
        }
        return ImageLoader(
            configuration,
            store: ImageStore(memory: memory, disk: disk, codecs: codecs),
            downloader: downloader(urlCache: try urlCache(), codecs: codecs, downloads)
        )
    }
}

extension Route {
    /// Returns a route of one path, which is also its label.
    static func path(_ path: String, _ answers: [Answer]) -> Route {
        Route(label: path, path: path == "/*" ? .any : .exact(path), answers: answers)
    }

    /// Returns a route with one image.
    static func image(
        _ path: String,
        _ bytes: [UInt8],
        _ change: (inout Answer) -> Void = { _ in }
    ) -> Route {
        .path(path, [.image(bytes, change)])
    }
}

extension Answer {
    static func image(
        _ bytes: [UInt8],
        type: String = "image/png",
        cacheControl: String? = nil,
        _ change: (inout Answer) -> Void = { _ in }
    ) -> Answer {
        var answer = Answer()
        answer.fields = [FieldLine("Content-Type", .text(type))]
        if let cacheControl { answer.fields.append(FieldLine("Cache-Control", .text(cacheControl))) }
        answer.body = .bytes(bytes)
        change(&answer)
        return answer
    }

    /// Sends the content in pieces of these sizes, one per second, and announces its length.
    mutating func send(inPieces sizes: [Int], of count: Int) {
        fields.append(FieldLine("Content-Length", .text("\(count)")))
        chunks = sizes
        chunkDelay = .seconds(1)
    }

    static func status(_ status: Int, _ fields: [FieldLine] = []) -> Answer {
        var answer = Answer()
        answer.status = status
        answer.fields = fields
        return answer
    }
}

/// The values received by callbacks, in order.
final class Heard<Value: Sendable>: Sendable {
    private let list = Lock([Value]())

    var values: [Value] { list.withLock { $0 } }
    var count: Int { list.withLock { $0.count } }

    func add(_ value: Value) {
        list.withLock { $0.append(value) }
        news.signal()
    }
}

/// A queue that signals each delivery.
struct SignallingDelivery: DeliveryQueue {
    private let queue = SerialDelivery()

    var isCurrent: Bool { queue.isCurrent }

    func deliver(_ work: @escaping @Sendable () -> Void) {
        queue.deliver {
            work()
            news.signal()
        }
    }

    func drain() async { await queue.drain() }
}

/// Waits until a condition holds; it is checked after every relevant event.
func until(_ holds: () -> Bool) async { await news.wait(until: holds) }

extension Heard where Value == Result<DownloadOutcome, ImageError> {
    var errors: [ImageError?] {
        values.map { result in
            if case .failure(let error) = result { error } else { nil }
        }
    }
    var contents: [DownloadedImage?] {
        values.map { result in
            if case .success(let outcome) = result { outcome.content } else { nil }
        }
    }
}
