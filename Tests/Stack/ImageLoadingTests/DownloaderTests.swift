import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import Fetching
import HTTPTypes
@testable import ImageLoading
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

private typealias Ends = Heard<Result<DownloadOutcome, ImageError>>

@Suite("The image downloader", .timeLimit(.minutes(20)))
struct DownloaderTests {
    @Test(
        "A limited number of transfers run concurrently, the next starts when one has ended, and contents are not mixed up",
        .checks(
            "sdwebimage.downloader.concurrency-6",
            "afnetworking.image-downloader.max-4",
            "afnetworking.image-downloader.queue-overflow",
            "sdwebimage.downloader.route-by-task-id"
        ),
        arguments: [6, 4]
    )
    func concurrency(limit: Int) async throws {
        let routes = try (0..<10).map { number in
            try Route.image("/\(number)", TestImages.png(4 + number, 4)) { $0.hold = .head }
        }
        let origin = try ImageOrigin(routes)
        #expect(ImageDownloader.Configuration().concurrency == 6)
        #expect(ImageProfile.afNetworking.downloads.concurrency == 4)
        let downloader = origin.downloader { $0.concurrency = limit }
        let widths = Heard<[Int]>()
        for number in 0..<10 {
            downloader.receive(ImageRequest(url: origin.url("/\(number)"))) { result in
                if case .success(.image(let content)) = result {
                    widths.add([number, content.image?.size.width ?? 0])
                }
            }
        }
        await until { origin.namespace.parked.count == limit }
        #expect(downloader.runningTransfers == limit)
        #expect(origin.hits() == limit)
        origin.namespace.release(label: "/0")
        await until { widths.count == 1 && origin.namespace.parked.count == limit }
        #expect(origin.hits() == limit + 1)
        await until {
            origin.namespace.release(label: nil)
            return widths.count == 10
        }
        #expect(Set(widths.values) == Set((0..<10).map { [$0, 4 + $0] }))
    }

    @Test(
        "Successive downloads reuse one connection",
        .checks(
            "sdwebimage.downloader.one-session",
            "sdwebimage.downloader.after-finish-new-download",
            "sdwebimage.downloader.pipelining"
        )
    )
    func oneConnection() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let downloader = origin.downloader()
        for _ in 0..<3 { _ = try await downloader.download(ImageRequest(url: origin.url("/a"))) }
        #expect(origin.namespace.record().map(\.connection) == [1, 1, 1])
    }

    @Test(
        "A download is one exchange of the transport that it is given, here libcurl's, and of no other",
        .checks("af2.operation.transport", "sdwebimage.operation.self-contained"),
        arguments: [true, false]
    )
    func transport(works: Bool) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let transport = WatchedTransport(works ? origin.transport : nil)
        let downloader = ImageDownloader(transport: transport, clock: origin.clock, delivery: origin.delivery)
        for _ in 0..<2 {
            let outcome = try? await downloader.download(ImageRequest(url: origin.url("/a")))
            #expect((outcome?.content != nil) == works)
        }
        #expect(transport.paths.values == ["/-/t/a", "/-/t/a"])
        #expect(origin.hits() == (works ? 2 : 0))
    }

    @Test(
        "A download without a response fails after 15 s, or the configured timeout",
        .checks("sdwebimage.downloader.timeout-15", "afnetworking.image-downloader.session-manager"),
        arguments: [(0, 15), (5, 5), (60, 60)] as [(Int, Int)]
    )
    func timeout(given: Int, expected: Int) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.hold = .head }])
        let downloader = origin.downloader { $0.timeout = .seconds(given) }
        #expect(ImageProfile.sdWebImage.downloads.timeout == .seconds(15))
        #expect(ImageProfile.afNetworking.downloads.timeout == .seconds(60))
        let ends = Ends()
        downloader.receive(ImageRequest(url: origin.url("/a"))) { ends.add($0) }
        await until { origin.clock.nextDeadline == .seconds(expected) && origin.namespace.parked.count == 1 }
        origin.clock.advance(by: .seconds(expected) - .milliseconds(1))
        #expect(ends.count == 0)
        origin.clock.advance(by: .milliseconds(1))
        await until { ends.count == 1 }
        #expect(ends.errors == [ImageError(domain: .url, code: -1001, detail: "")])
    }

    @Test(
        "By default, the HTTP cache is neither read nor written; with the option, it is used",
        .checks(
            "sdwebimage.downloader.cache-policy",
            "sdwebimage.downloader.default-uses-urlcache",
            "sdwebimage.operation.willcache-nil",
            "sdwebimage.operation.willcache-pass",
            "sdwebimage.operation.from-cache-detection"
        )
    )
    func urlCache() async throws {
        let origin = try ImageOrigin([
            .path("/a", [.image(TestImages.png(), cacheControl: "max-age=60")]),
            .path("/b", [.image(TestImages.png(), cacheControl: "no-store")]),
        ])
        let cache = try origin.urlCache()
        let downloader = origin.downloader(urlCache: cache)
        let client = CachingClient(store: cache, transport: origin.transport, clock: origin.clock)
        let stored = ClientRequest(url: origin.url("/a"))
        for hits in 1...2 {
            let outcome = try await downloader.download(ImageRequest(url: origin.url("/a")))
            #expect(outcome.content?.isFromURLCache == false)
            #expect(origin.hits("/a") == hits)
            #expect(client.cachedResponse(for: stored) == nil)
        }
        let request = ImageRequest(url: origin.url("/a"), options: .useURLCache)
        #expect(try await downloader.download(request).content?.isFromURLCache == false)
        #expect(client.cachedResponse(for: stored) != nil)
        let again = try #require(try await downloader.download(request).content)
        let bytes = try TestImages.png()
        #expect(again.isFromURLCache && again.bytes == bytes)
        #expect(origin.hits("/a") == 3)
        let noStore = ImageRequest(url: origin.url("/b"), options: .useURLCache)
        #expect(try await downloader.download(noStore).content?.isFromURLCache == false)
    }

    @Test(
        "An ignored response of the HTTP cache ends as unchanged",
        .checks("sdwebimage.operation.ignore-cached")
    )
    func ignoresCached() async throws {
        let origin = try ImageOrigin([.path("/a", [.image(TestImages.png(), cacheControl: "max-age=60")])])
        let downloader = origin.downloader(urlCache: try origin.urlCache())
        let options: ImageLoadOptions = [.useURLCache, .ignoreCachedResponse]
        let request = ImageRequest(url: origin.url("/a"), options: options)
        #expect(try await downloader.download(request).content != nil)
        #expect(try await downloader.download(request).content == nil)
        #expect(origin.hits() == 1)
    }

    @Test(
        "A new image that may not be stored is delivered, although an older one is stored",
        .checks("sdwebimage.operation.from-cache-misdetected")
    )
    func misdetected() async throws {
        let (old, new) = (try TestImages.png(red: 1), try TestImages.png(red: 2))
        let origin = try ImageOrigin([
            .path("/a", [.image(old, cacheControl: "max-age=60"), .image(new, cacheControl: "no-store")])
        ])
        let downloader = origin.downloader(urlCache: try origin.urlCache())
        let options: ImageLoadOptions = [.useURLCache, .ignoreCachedResponse]
        let request = ImageRequest(url: origin.url("/a"), options: options)
        _ = try await downloader.download(request)
        origin.clock.advance(by: .seconds(61))
        let content = try #require(try await downloader.download(request).content)
        #expect(content.bytes == new)
    }

    @Test(
        "Cookies are stored and sent only with the option",
        .checks("sdwebimage.downloader.cookies")
    )
    func cookies() async throws {
        let origin = try ImageOrigin([
            .image("/a", TestImages.png()) { $0.fields.append(FieldLine("Set-Cookie", .text("k=v; Path=/"))) }
        ])
        let downloader = origin.downloader()
        let plain = ImageRequest(url: origin.url("/a"))
        let handling = ImageRequest(url: origin.url("/a"), options: .handleCookies)
        _ = try await downloader.download(plain)
        _ = try await downloader.download(handling)
        _ = try await downloader.download(handling)
        _ = try await downloader.download(plain)
        #expect((0..<4).map { origin.fields($0, "cookie") } == [[], [], ["k=v"], []])
    }

    @Test(
        "Default fields are sent with every request, as changed by a filter for that request",
        .checks("sdwebimage.downloader.headers", "afnetworking.image-downloader.session-manager")
    )
    func fields() async throws {
        let origin = try ImageOrigin([.path("/*", [.image(TestImages.png())])])
        let name = try #require(HTTPField.Name("X-Token"))
        let downloader = origin.downloader {
            $0.fields = [.userAgent: "images"]
            $0.fieldsFilter = { url, fields in
                var fields = fields
                if url.hasSuffix("/a") { fields[name] = "1" }
                return fields
            }
        }
        for path in ["/a", "/b"] { _ = try await downloader.download(ImageRequest(url: origin.url(path))) }
        #expect((0..<2).map { origin.fields($0, "user-agent") } == [["images"], ["images"]])
        #expect((0..<2).map { origin.fields($0, "x-token") } == [["1"], []])
        #expect(downloader.configuration.fields == [.userAgent: "images"])
    }

    @Test(
        "Concurrent downloads of one URL share one request, whose progress and end all of them receive",
        .checks(
            "sdwebimage.downloader.dedupe",
            "sdwebimage.downloader.progress-fan-out",
            "sdwebimage.downloader.completion-fan-out",
            "afnetworking.image-downloader.dedupe",
            "afnetworking.image-downloader.fan-out",
            "afnetworking.image-downloader.handlers-on-merged-task"
        ),
        arguments: [true, false]
    )
    func joined(succeeds: Bool) async throws {
        let answer = try succeeds ? Answer.image(TestImages.png()) : Answer.status(404)
        var stalled = answer
        stalled.hold = .head
        let origin = try ImageOrigin([.path("/a", [stalled])])
        let downloader = origin.downloader()
        let delivery = origin.delivery
        let (ends, progress, places) = (Ends(), Heard<[Int]>(), Heard<Bool>())
        for number in 0..<5 {
            downloader.download(
                ImageRequest(url: origin.url("/a")),
                progress: { value in
                    progress.add([number, value.received.bytes])
                    places.add(delivery.isCurrent)
                },
                completion: { ends.add($0) }
            )
        }
        await until { origin.namespace.parked.count == 1 }
        #expect(downloader.listenerCount(for: ImageRequest(url: origin.url("/a"))) == 5)
        origin.namespace.release(label: nil)
        await until { ends.count == 5 }
        await delivery.drain()
        #expect(origin.hits() == 1)
        #expect(ends.errors == [ImageError?](repeating: succeeds ? nil : .status(404), count: 5))
        guard succeeds else { return }
        let size = try TestImages.png().count
        for number in 0..<5 {
            let own = progress.values.filter { $0[0] == number }.map { $0[1] }
            #expect(own == own.sorted() && own.first == 0 && own.last == size)
        }
        #expect(places.values.allSatisfy { $0 })
    }

    @Test(
        "A listener that leaves does not affect the others; the last one ends the transfer",
        .checks(
            "sdwebimage.downloader.dedupe-second-handle",
            "sdwebimage.downloader.cancel-drops-all",
            "afnetworking.image-downloader.cancel-one-of-many",
            "afnetworking.image-downloader.receipt"
        ),
        arguments: [0, 1, 2]
    )
    func leaving(first: Int) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.hold = .head }])
        let downloader = origin.downloader()
        let ends = Heard<[Int]>()
        let receipts = (0..<3).map { number in
            downloader.receive(ImageRequest(url: origin.url("/a"))) { result in
                if case .failure(let error) = result {
                    ends.add([number, error.code.rawValue])
                } else {
                    ends.add([number, 0])
                }
            }
        }
        await until { origin.namespace.parked.count == 1 }
        receipts[first].cancel()
        receipts[first].cancel()
        #expect(ends.values == [[first, -999]])
        #expect(receipts.map(\.state) == (0..<3).map { $0 == first ? .cancelled : .executing })
        origin.namespace.release(label: nil)
        await until { ends.count == 3 }
        #expect(Set(ends.values) == Set((0..<3).map { [$0, $0 == first ? -999 : 0] }))
        #expect(origin.hits() == 1 && origin.aborted == 0)
    }

    @Test(
        "Cancelling all listeners aborts the transfer, and the URL can be requested again immediately",
        .checks("afnetworking.image-downloader.cancel-one-of-many")
    )
    func leavingAll() async throws {
        let origin = try ImageOrigin([
            .path("/a", [.image(TestImages.png()) { $0.hold = .head }, .image(TestImages.png())])
        ])
        let downloader = origin.downloader()
        let ends = Ends()
        let request = ImageRequest(url: origin.url("/a"))
        let receipts = (0..<3).map { _ in downloader.receive(request) { ends.add($0) } }
        await until { origin.namespace.parked.count == 1 }
        for receipt in receipts { receipt.cancel() }
        #expect(ends.errors == [.cancelled, .cancelled, .cancelled])
        #expect(try await downloader.download(request).content != nil)
        await until { origin.aborted == 1 }
        await until { downloader.runningTransfers == 0 }
    }

    @Test(
        "Downloads that differ in what is sent or cached are not joined",
        .checks("sdwebimage.downloader.dedupe-first-options-win")
    )
    func differing() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.hold = .head }])
        let downloader = origin.downloader(urlCache: try origin.urlCache())
        let requests = [
            ImageRequest(url: origin.url("/a")), ImageRequest(url: origin.url("/a"), options: .handleCookies),
            ImageRequest(url: origin.url("/a"), options: .useURLCache),
            ImageRequest(url: origin.url("/a"), fields: [.accept: "image/png"]),
        ]
        let ends = Ends()
        for request in requests + requests { downloader.receive(request) { ends.add($0) } }
        await until { origin.namespace.parked.count == 4 }
        #expect(origin.hits() == 4)
        origin.namespace.release(label: nil)
        await until { ends.count == 8 }
    }

    @Test("A completion may request the same URL again", .checks("sdwebimage.downloader.reentrant"))
    func reentrant() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let downloader = origin.downloader()
        let ends = Ends()
        let request = ImageRequest(url: origin.url("/a"))
        downloader.receive(request) { first in
            ends.add(first)
            downloader.receive(request) { ends.add($0) }
        }
        await until { ends.count == 2 }
        #expect(origin.hits() == 2)
    }

    @Test(
        "A credential takes precedence over user and password, neither of which is used alone",
        .checks("sdwebimage.downloader.credentials")
    )
    func credentials() async throws {
        let challenge = Answer.status(401, [FieldLine("WWW-Authenticate", .text("Basic realm=\"r\""))])
        let origin = try ImageOrigin([.path("/*", [challenge])])
        let both = origin.downloader {
            $0.credential = .basic(user: "Aladdin", password: "open sesame")
            $0.user = "other"
            $0.password = "word"
        }
        let pair = origin.downloader {
            $0.user = "other"
            $0.password = "word"
        }
        let alone = origin.downloader { $0.user = "other" }
        for downloader in [both, pair, alone] {
            await #expect(throws: ImageError.status(401)) {
                _ = try await downloader.download(ImageRequest(url: origin.url("/a")))
            }
        }
        let sent = (0..<origin.hits()).map { origin.fields($0, "authorization") }
        #expect(
            sent == [[], ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="], [], ["Basic b3RoZXI6d29yZA=="], []]
        )
    }

    @Test(
        "High priority starts first and low last; high takes precedence over low",
        .checks("sdwebimage.downloader.priority", "sdwebimage.slot.low-priority-while-scrolling")
    )
    func priority() async throws {
        let origin = try ImageOrigin([.path("/*", [.image(TestImages.png())])])
        let downloader = origin.downloader { $0.concurrency = 1 }
        downloader.isSuspended = true
        let ends = Ends()
        let wanted: [(String, ImageLoadOptions)] = [
            ("/low", .lowPriority), ("/normal", []), ("/high", .highPriority),
            ("/both", [.lowPriority, .highPriority]),
        ]
        for (path, options) in wanted {
            downloader.receive(ImageRequest(url: origin.url(path), options: options)) { ends.add($0) }
        }
        #expect(downloader.runningTransfers == 0 && origin.hits() == 0)
        downloader.isSuspended = false
        await until { ends.count == 4 }
        #expect(origin.namespace.record().map(\.path) == ["/high", "/both", "/normal", "/low"])
    }

    @Test(
        "Downloads start in order of arrival, or the most recent first",
        .checks("sdwebimage.downloader.order"),
        arguments: [
            (.firstInFirstOut, ["/a", "/b", "/c", "/d"]), (.lastInFirstOut, ["/a", "/d", "/c", "/b"]),
        ]
            as [(ImageQueueOrder, [String])]
    )
    func order(order: ImageQueueOrder, expected: [String]) async throws {
        let origin = try ImageOrigin([
            .image("/a", TestImages.png()) { $0.hold = .head }, .path("/*", [.image(TestImages.png())]),
        ])
        let downloader = origin.downloader {
            $0.concurrency = 1
            $0.order = order
        }
        let ends = Ends()
        for path in ["/a", "/b", "/c", "/d"] {
            downloader.receive(ImageRequest(url: origin.url(path))) { ends.add($0) }
            if path == "/a" { await until { origin.namespace.parked.count == 1 } }
        }
        origin.namespace.release(label: nil)
        await until { ends.count == 4 }
        #expect(origin.namespace.record().map(\.path) == expected)
    }

    @Test(
        "Immediate decoding can be disabled",
        .checks("sdwebimage.downloader.decompress-flag"),
        arguments: [true, false]
    )
    func decompress(flag: Bool) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let downloader = origin.downloader { $0.decompresses = flag }
        let content = try await downloader.download(ImageRequest(url: origin.url("/a"))).content
        #expect(content?.image?.isDecoded == flag)
    }

    @Test(
        "Joining and leaving concurrently loses and duplicates nothing",
        .checks("sdwebimage.downloader.list-synchronised")
    )
    func hammering() async throws {
        let origin = try ImageOrigin([.path("/*", [.image(TestImages.png()) { $0.hold = .head }])])
        let downloader = origin.downloader()
        let ends = Heard<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let request = ImageRequest(url: origin.url("/\(number % 5)"))
                    let receipt = downloader.receive(request) { _ in ends.add(number) }
                    if number.isMultiple(of: 3) { receipt.cancel() }
                }
            }
        }
        for path in 0..<5 {
            let staying = (0..<100).count { $0 % 5 == path && !$0.isMultiple(of: 3) }
            let listeners = downloader.listenerCount(for: ImageRequest(url: origin.url("/\(path)")))
            // Without this, a lost listener would be waited for below.
            try #require(listeners == staying)
        }
        await until {
            origin.namespace.release(label: nil)
            return ends.count >= 100 && downloader.runningTransfers == 0
        }
        #expect(ends.values.sorted() == Array(0..<100))
    }
}

/// Records the requests and forwards them to another transport, if there is one.
private struct WatchedTransport: Transport {
    let paths = Heard<String>()
    private let other: (any Transport)?

    init(_ other: (any Transport)?) { self.other = other }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        paths.add(request.head.path ?? "")
        if let other { return other.start(request, receiver: receiver) }
        receiver.receive(end: .failure(TransportError(.cannotConnect, "connection refused")))
        return EndedExchange()
    }
}
