import CacheClient
import CacheStorage
import CLibrary
import Clocks
import HTTPTypes
@testable import ImageLoading
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("The image loader", .timeLimit(.minutes(20)))
struct LoaderTests {
    /// Returns the deliveries of one load until its end.
    private func results(_ loader: ImageLoader, _ request: ImageRequest) async -> [ImageResult] {
        var results: [ImageResult] = []
        for await result in loader.results(for: request) { results.append(result) }
        return results
    }

    private func only(_ loader: ImageLoader, _ request: ImageRequest) async throws -> ImageResult {
        let results = await results(loader, request)
        #expect(results.count == 1)
        return try #require(results.first)
    }

    /// Signals its deallocation.
    private final class Witness: Sendable {
        private let onEnd: @Sendable () -> Void

        init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    @Test(
        "A loader without references is released, whether its load has ended or was cancelled",
        arguments: [false, true]
    )
    func gone(isCancelled: Bool) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let folder = try TestFolder()
        let (ends, sink) = AsyncStream.makeStream(of: Void.self)
        let load = try await {
            let witness = Witness { sink.finish() }
            let loader = try origin.loader(folder: folder) {
                $0.onMilestone = { _, _ in withExtendedLifetime(witness) {} }
            }
            let request = ImageRequest(url: origin.url("/a"))
            if !isCancelled { _ = try await only(loader, request) }
            let load = loader.load(ImageRequest(url: origin.url("/a"), options: .refreshCached)) { _ in }
            if isCancelled { load.cancel() } else { await news.wait { load.isFinished } }
            return load
        }()
        for await _ in ends {}
        #expect(load.isFinished)
        #expect(load.isCancelled == isCancelled)
    }

    @Test(
        "A load queries memory, disk and network in this order, decodes, stores and delivers",
        .checks(
            "sdwebimage.manager.flow",
            "sdwebimage.manager.cache-first",
            "sdwebimage.manager.cached-hit",
            "sdwebimage.manager.download-cache-type",
            "sdwebimage.slot.completion-arguments"
        )
    )
    func flow() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let folder = try TestFolder()
        let milestones = Heard<ImageLoadMilestone>()
        let loader = try origin.loader(folder: folder) {
            $0.onMilestone = { milestone, _ in milestones.add(milestone) }
        }
        let request = ImageRequest(url: origin.url("/a"), options: .waitForStore)
        let loaded = try await only(loader, request)
        #expect(loaded.source == .network && loaded.url == request.url)
        #expect(loaded.image != nil && loaded.error == nil)
        #expect(
            milestones.values.filter { $0 != .storedInMemory } == [
                .validated, .memoryQueried, .diskQueried, .downloadBegun, .decoded, .storedOnDisk, .delivered,
            ]
        )
        #expect(milestones.values.contains(.storedInMemory))
        #expect(try await only(loader, request).source == .memory)
        #expect(milestones.values.suffix(3) == [.validated, .memoryQueried, .delivered])
        loader.store.clearMemory()
        #expect(try await only(loader, request).source == .disk)
        #expect(milestones.values.suffix(4) == [.validated, .memoryQueried, .diskQueried, .delivered])
        #expect(origin.hits() == 1)
        #expect(loader.runningLoads == 0)
    }

    @Test(
        "A loader uses the store, the downloader and the permission to download that it is given",
        .checks("sdwebimage.manager.parts")
    )
    func parts() async throws {
        let origin = try ImageOrigin([.path("/*", [.image(TestImages.png())])])
        let memory = CostImageCache()
        var configuration = ImageLoader.Configuration()
        configuration.shouldDownload = { !$0.hasSuffix("/vetoed") }
        let loader = ImageLoader(
            configuration,
            store: ImageStore(memory: memory),
            downloader: origin.downloader { $0.fields = [.userAgent: "the given one"] }
        )
        let allowed = ImageRequest(url: origin.url("/a"))
        #expect(try await only(loader, allowed).source == .network)
        #expect(origin.fields(0, "user-agent") == ["the given one"])
        #expect(memory.image(for: allowed.url) != nil)
        #expect(try await only(loader, allowed).source == .memory)
        #expect(try await only(loader, ImageRequest(url: origin.url("/vetoed"))).image == nil)
        #expect(origin.namespace.record().map(\.path) == ["/a"])
    }

    @Test(
        "Text that is not a URL fails like a missing URL, an unsupported scheme has its own error, and nothing is sent",
        .checks(
            "sdwebimage.manager.empty-url",
            "sdwebimage.manager.bad-type-is-nil",
            "sdwebimage.manager.accepts-string"
        ),
        arguments: [
            ("", -1100), ("nonsense", -1100), ("http://", -1100), ("http://h/a b", -1100), ("\0", -1100),
            ("ftp://h/a", -1002),
        ]
    )
    func noURL(url: String, code: Int) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader()
        let result = try await only(loader, ImageRequest(url: url))
        #expect(result.image == nil && result.source == .network && result.isFinal)
        #expect(result.error?.domain == .url)
        #expect(result.error?.code.rawValue == code)
        // A missing URL is not one that has failed.
        #expect(loader.failedURLs.count == 0)
        #expect(origin.hits() == 0)
        #expect(try await only(loader, ImageRequest(url: origin.url("/a"))).image != nil)
    }

    @Test(
        "A load without a completion, or with `nil` in its place, does not compile",
        .checks("sdwebimage.manager.completion-required")
    )
    func completionRequired() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader()
        let request = ImageRequest(url: origin.url("/a"))
        // The compiler chooses the stand-ins below only if the library has no such overload; otherwise this
        // does not compile.
        #expect(loader.load(request) == NoOverload())
        #expect(loader.load(request, completion: nil) == NoOverload())
        let heard = Heard<Bool>()
        _ = loader.load(request) { heard.add($0.image != nil) }
        await until { heard.values == [true] }
        #expect(try await loader.image(for: request).size.width == 8)
    }

    // MARK: Failures

    @Test(
        "A URL that failed fails again without a request, and is requested again with retry-failed",
        .checks(
            "sdwebimage.manager.blacklist",
            "sdwebimage.manager.retry-failed-bypasses",
            "sdwebimage.manager.retry-success-clears",
            "sdwebimage.manager.blacklist-lifetime",
            "sdwebimage.manager.error-delivery"
        )
    )
    func failed() async throws {
        let origin = try ImageOrigin([
            .path("/a", [.status(404), .status(404), .image(TestImages.png())])
        ])
        let loader = try origin.loader { $0.failureLifetime = nil }
        let request = ImageRequest(url: origin.url("/a"))
        let retry = ImageRequest(url: origin.url("/a"), options: .retryFailed)
        let first = try await only(loader, request)
        #expect(
            first.error == .status(404) && first.image == nil && first.source == .network && first.isFinal
        )
        #expect(try await only(loader, request).error == .fileDoesNotExist)
        #expect(origin.hits() == 1)
        #expect(loader.failedURLs.failure(of: request.url)?.error == .status(404))
        #expect(try await only(loader, retry).error == .status(404))
        #expect(try await only(loader, retry).image != nil)
        loader.store.clearMemory()
        #expect(try await only(loader, request).image != nil)
        #expect(origin.hits() == 4)
        loader.failedURLs.record(.status(404), of: request.url)
        loader.store.clearMemory()
        loader.failedURLs.removeAll()
        #expect(try await only(loader, request).image != nil)
        #expect(try origin.loader().failedURLs.count == 0)
    }

    @Test("A recorded failure expires after its lifetime, or when the server permits a retry")
    func failureLifetime() async throws {
        let retryAfter = FieldLine("Retry-After", .text("5"))
        let origin = try ImageOrigin([
            .path("/a", [.status(404), .image(TestImages.png())]),
            .path("/b", [.status(404, [retryAfter]), .image(TestImages.png())]),
        ])
        let loader = try origin.loader { $0.failureLifetime = .seconds(600) }
        for path in ["/a", "/b"] { _ = await results(loader, ImageRequest(url: origin.url(path))) }
        origin.clock.advance(by: .seconds(5))
        #expect(try await only(loader, ImageRequest(url: origin.url("/a"))).error == .fileDoesNotExist)
        #expect(try await only(loader, ImageRequest(url: origin.url("/b"))).image != nil)
        origin.clock.advance(by: .seconds(595))
        #expect(try await only(loader, ImageRequest(url: origin.url("/a"))).image != nil)
    }

    @Test("The list of failures is limited")
    func failureLimit() {
        let list = FailedURLs(.documented, lifetime: nil, limit: 3, clock: VirtualClock(wallSeconds: 0))
        for number in 0..<10 { list.record(.status(404), of: "\(number)") }
        #expect(list.count == 3)
        #expect(list.failure(of: "0") == nil && list.failure(of: "9") != nil)
    }

    @Test(
        "Seven network errors are not recorded, others are as documented, and permanent ones by default",
        .checks("sdwebimage.manager.blacklist-excluded-new", "sdwebimage.manager.blacklist-http-errors"),
        arguments: [
            (-1009, false, false), (-999, false, false), (-1001, false, false), (-1018, false, false),
            (-1020, false, false), (-1003, false, false), (-1004, false, false), (-1005, true, false),
            (404, true, true), (410, true, true), (500, true, false), (503, true, false), (429, true, false),
        ] as [(Int, Bool, Bool)]
    )
    func counting(code: Int, documented: Bool, byDefault: Bool) {
        let clock = VirtualClock(wallSeconds: 0)
        let error = ImageError(domain: .url, code: .init(rawValue: code), detail: "")
        #expect(FailedURLs(.documented, lifetime: nil, clock: clock).records(error) == documented)
        #expect(FailedURLs(.permanentOnly, lifetime: nil, clock: clock).records(error) == byDefault)
        #expect(!FailedURLs(.never, lifetime: nil, clock: clock).records(error))
    }

    @Test(
        "SDWebImage 5 records content that is not an image and lasting network errors, but no HTTP status",
        arguments: [
            (.image, 0, true), (.image, 1001, true), (.image, 1005, false), (.url, 404, false),
            (.url, -1016, false), (.url, -1005, false), (.url, -1001, false), (.url, -1018, false),
            (.url, -1202, true), (.url, -1011, true),
        ] as [(ImageError.Domain, Int, Bool)]
    )
    func countingInVersion5(domain: ImageError.Domain, code: Int, isRecorded: Bool) {
        let failed = FailedURLs(.sdWebImage5, lifetime: nil, clock: VirtualClock(wallSeconds: 0))
        #expect(
            failed.records(ImageError(domain: domain, code: .init(rawValue: code), detail: "")) == isRecorded
        )
    }

    @Test("In SDWebImage 5 a recorded URL fails with 1003, and nothing is sent")
    func blacklistedInVersion5() async throws {
        let origin = try ImageOrigin([.image("/a", Array("0123456789ABCDEF".utf8))])
        let loader = try ImageProfile.sdWebImage5.loader(
            directory: nil,
            transport: origin.transport,
            clock: origin.clock,
            delivery: origin.delivery,
            pressure: nil
        )
        let request = ImageRequest(url: origin.url("/a"))
        #expect(try await only(loader, request).error?.code == 0)
        #expect(try await only(loader, request).error == .blacklisted)
        #expect(origin.hits() == 1)
    }

    @Test(
        "A host that could not be reached is requested again",
        .checks("sdwebimage.manager.blacklist-excluded-old", "sdwebimage.manager.blacklist-excluded-new")
    )
    func cannotConnect() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader { $0.failureRule = .documented }
        loader.downloader.isOnline = false
        let request = ImageRequest(url: origin.url("/a"))
        #expect(try await only(loader, request).error?.code == -1009)
        loader.downloader.isOnline = true
        #expect(try await only(loader, request).image != nil)
        let unreachable = ImageRequest(url: "http://127.0.0.1:1/a")
        for _ in 0..<2 { #expect(try await only(loader, unreachable).error?.code == -1004) }
        #expect(loader.failedURLs.count == 0)
    }

    @Test(
        "A URL that could not be loaded because roaming or data is off is requested again",
        .checks("sdwebimage.manager.blacklist-excluded-old", "sdwebimage.manager.blacklist-excluded-new"),
        arguments: [(NetworkAccess.roamingOff, -1018), (.dataNotAllowed, -1020)]
    )
    func withoutAccess(_ access: NetworkAccess, code: Int) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader { $0.failureRule = .documented }
        loader.downloader.networkAccess = access
        let request = ImageRequest(url: origin.url("/a"))
        #expect(try await only(loader, request).error?.code.rawValue == code)
        #expect(loader.failedURLs.count == 0)
        loader.downloader.networkAccess = .allowed
        #expect(try await only(loader, request).image != nil)
    }

    @Test(
        "Content that is not an image is recorded as a failure of its URL",
        .checks("sdwebimage.manager.blacklist-undecodable")
    )
    func undecodable() async throws {
        let origin = try ImageOrigin([.image("/a", Array("0123456789ABCDEF".utf8))])
        let loader = try origin.loader()
        let request = ImageRequest(url: origin.url("/a"))
        #expect(try await only(loader, request).error == .zeroPixels)
        #expect(try await only(loader, request).error == .fileDoesNotExist)
        #expect(origin.hits() == 1)
    }

    @Test(
        "A cached image is served although its URL has failed since, unless the documented order is selected",
        .checks("sdwebimage.manager.blacklist-before-cache"),
        arguments: [false, true]
    )
    func failuresFirst(documented: Bool) async throws {
        let origin = try ImageOrigin([.path("/a", [.image(TestImages.png()), .status(410)])])
        let loader = try origin.loader { $0.checksFailuresBeforeCache = documented }
        let request = ImageRequest(url: origin.url("/a"))
        #expect(try await only(loader, request).image != nil)
        let refresh = await results(loader, ImageRequest(url: origin.url("/a"), options: .refreshCached))
        #expect(refresh.map(\.error) == [nil, .status(410)])
        let result = try await only(loader, request)
        #expect(documented ? result.error == .fileDoesNotExist : result.image != nil)
    }

    // MARK: Cancellation

    @Test(
        "A load that is cancelled before the cache lookup ends does nothing more",
        .checks("sdwebimage.manager.cancel-before-cache-answer", "sdwebimage.manager.combined-operation")
    )
    func cancelEarly() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let loader = try origin.loader(folder: folder)
        loader.store.queue.suspend()
        let heard = Heard<Bool>()
        let load = loader.load(ImageRequest(url: origin.url("/a"))) { _ in heard.add(true) }
        #expect(loader.runningLoads == 1)
        load.cancel()
        #expect(load.isCancelled && loader.runningLoads == 0)
        loader.store.queue.resume()
        await loader.store.queue.drain()
        await origin.delivery.drain()
        #expect(heard.count == 0 && origin.hits() == 0)
    }

    @Test(
        "Cancelling ends the transfer, removes the load from the running ones, and reports nothing",
        .checks(
            "sdwebimage.manager.cancel",
            "sdwebimage.manager.combined-operation",
            "sdwebimage.manager.cancelled-download-silent"
        )
    )
    func cancelLate() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.hold = .head }])
        let loader = try origin.loader()
        let heard = Heard<Bool>()
        let load = loader.load(ImageRequest(url: origin.url("/a"))) { _ in heard.add(true) }
        await until { origin.namespace.parked.count == 1 }
        load.cancel()
        #expect(loader.runningLoads == 0)
        await until { origin.aborted == 1 }
        await origin.delivery.drain()
        #expect(heard.count == 0)
    }

    @Test(
        "The result of a cancelled load is discarded",
        .checks("sdwebimage.manager.cancelled-download-silent")
    )
    func cancelBeforeDelivery() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let (loads, heard) = (Heard<ImageLoad>(), Heard<Bool>())
        // Cancelled after decoding, that is after the last byte and before the delivery.
        let loader = try origin.loader {
            $0.onMilestone = { milestone, _ in
                guard milestone == .decoded else { return }
                while loads.count == 0 { sched_yield() }
                loads.values[0].cancel()
            }
        }
        loads.add(loader.load(ImageRequest(url: origin.url("/a"))) { _ in heard.add(true) })
        await until { loads.values[0].isFinished && loader.downloader.runningTransfers == 0 }
        await origin.delivery.drain()
        #expect(heard.count == 0)
    }

    @Test(
        "A load is listed as running until it has ended, whatever the result",
        .checks("sdwebimage.manager.running-list")
    )
    func runningList() async throws {
        let origin = try ImageOrigin([
            .image("/a", TestImages.png()), .path("/404", [.status(404)]), .image("/veto", TestImages.png()),
            .image("/stalled", TestImages.png()) { $0.hold = .head },
        ])
        let loader = try origin.loader { $0.shouldDownload = { !$0.hasSuffix("/veto") } }
        for path in ["/a", "/a", "/404", "/veto", ""] {
            _ = await results(loader, ImageRequest(url: path.isEmpty ? "" : origin.url(path)))
            #expect(loader.runningLoads == 0)
        }
        let load = loader.load(ImageRequest(url: origin.url("/stalled"))) { _ in }
        #expect(loader.runningLoads == 1)
        load.cancel()
        #expect(loader.runningLoads == 0)
    }

    @Test("Cancelling the task that awaits an image cancels the load")
    func cancelTask() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.hold = .head }])
        let loader = try origin.loader()
        let url = origin.url("/a")
        let task = Task { () throws(ImageError) in try await loader.image(for: ImageRequest(url: url)) }
        await until { origin.namespace.parked.count == 1 }
        task.cancel()
        await #expect(throws: ImageError.cancelled) { _ = try await task.value }
        await until { origin.aborted == 1 && loader.runningLoads == 0 }
    }

    // MARK: Permission, refresh, transformation

    @Test(
        "An image is downloaded if it is not cached or is to be refreshed, unless the download is not permitted",
        .checks(
            "sdwebimage.manager.download-condition",
            "sdwebimage.manager.delegate-veto",
            "sdwebimage.manager.veto-with-cache"
        ),
        arguments: [
            (false, false, true, 1), (false, false, false, 0), (false, true, true, 1),
            (false, true, false, 0),
            (true, false, true, 0), (true, false, false, 0), (true, true, true, 1), (true, true, false, 0),
        ] as [(Bool, Bool, Bool, Int)]
    )
    func condition(isCached: Bool, refreshes: Bool, allows: Bool, hits: Int) async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader { $0.shouldDownload = { _ in allows } }
        if isCached { loader.store.store(try TestImages.image(2, 2), for: origin.url("/a")) }
        let request = ImageRequest(url: origin.url("/a"), options: refreshes ? .refreshCached : [])
        let results = await results(loader, request)
        #expect(origin.hits() == hits)
        #expect(results.last?.isFinal == true)
        #expect(results.allSatisfy { $0.error == nil })
        guard !allows else { return }
        #expect(results.count == 1)
        #expect((results[0].image != nil) == isCached)
        #expect(results[0].source == (isCached ? .memory : .network))
    }

    @Test(
        "A refresh delivers the cached image and then, after validation, the changed one",
        .checks("sdwebimage.manager.refresh-two-callbacks", "sdwebimage.manager.refresh-uses-urlcache")
    )
    func refreshChanged() async throws {
        let (old, new) = (try TestImages.png(red: 1), try TestImages.png(red: 2))
        let tagged: @Sendable (inout Answer) -> Void = { $0.entityTag = .md5 }
        let origin = try ImageOrigin([
            .path(
                "/a",
                [
                    .image(old, cacheControl: "max-age=0", tagged),
                    .image(old, cacheControl: "max-age=0", tagged),
                    .image(new, cacheControl: "max-age=0", tagged),
                ]
            )
        ])
        let loader = try origin.loader()
        let request = ImageRequest(url: origin.url("/a"), options: .refreshCached)
        #expect(await results(loader, request).count == 1)
        let unchanged = await results(loader, request)
        #expect(unchanged.map(\.source) == [.memory, .memory])
        #expect(unchanged.map(\.isFinal) == [false, true])
        #expect(unchanged.map(\.isNotModified) == [false, true])
        #expect(origin.fields(1, "if-none-match").count == 1)
        #expect(origin.namespace.record()[1].status == 304)
        let changed = await results(loader, request)
        #expect(changed.map(\.source) == [.memory, .network])
        #expect(changed.map(\.isFinal) == [false, true])
        #expect(changed.last?.bytes == new)
        #expect(try await loader.store.image(for: origin.url("/a"))?.entry.image.pixels()[0, 0]?.first == 2)
    }

    @Test(
        "A refresh that the HTTP cache answers calls the completion no more, and ends a sequence of results",
        .checks("sdwebimage.manager.refresh-unchanged-silent")
    )
    func refreshFresh() async throws {
        let origin = try ImageOrigin([.path("/a", [.image(TestImages.png(), cacheControl: "max-age=60")])])
        let loader = try origin.loader()
        let request = ImageRequest(url: origin.url("/a"), options: .refreshCached)
        #expect(await results(loader, request).count == 1)
        let again = await results(loader, request)
        #expect(again.map(\.isNotModified) == [false, true])
        #expect(again.map(\.isFinal) == [false, true])
        let (calls, call) = AsyncStream.makeStream(of: ImageSource.self)
        loader.load(request) { call.yield($0.source) }
        var sources = calls.makeAsyncIterator()
        #expect(await sources.next() == .memory)
        while loader.runningLoads > 0 { await Task.yield() }
        call.finish()
        #expect(await sources.next() == nil)
        #expect(origin.hits() == 1)
    }

    @Test(
        "A refresh of a cached image is not progressive and ignores the HTTP cache's response",
        .checks("sdwebimage.manager.refresh-flags", "sdwebimage.manager.option-mapping")
    )
    func refreshFlags() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png()) { $0.hold = .head }])
        let loader = try origin.loader()
        loader.store.store(try TestImages.image(2, 2), for: origin.url("/a"))
        let load = loader.load(
            ImageRequest(url: origin.url("/a"), options: [.refreshCached, .progressive])
        ) { _ in }
        let sent = try #require(load.receipt?.request.options)
        #expect(
            !sent.contains(.progressive) && sent.contains(.ignoreCachedResponse)
                && sent.contains(.useURLCache)
        )
        load.cancel()
        let options: [ImageLoadOptions] = [
            .lowPriority, .progressive, .continueInBackground, .handleCookies, .allowInvalidCertificates,
            .highPriority,
        ]
        for option in options {
            let load = loader.load(
                ImageRequest(url: origin.url("/b"), options: option)
            ) { _ in }
            #expect(load.receipt?.request.options == option)
            load.cancel()
        }
        let refresh = loader.load(ImageRequest(url: origin.url("/b"), options: .refreshCached)) { _ in }
        #expect(refresh.receipt?.request.options == [.refreshCached, .useURLCache])
        refresh.cancel()
    }

    @Test(
        "The transformed image is stored and delivered under the same key",
        .checks("sdwebimage.manager.transform", "sdwebimage.manager.transform-raw-data")
    )
    func transform() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([
            .image("/a.png", TestImages.png()), .image("/same.png", TestImages.png()),
        ])
        let loader = try origin.loader(folder: folder) {
            $0.transform = { image, url in
                guard url.hasSuffix("/a.png"), let pixels = try? image.pixels() else { return image }
                return image.replacing(pixels.mapPixels { $0[$0.startIndex] = 255 - $0[$0.startIndex] })
            }
        }
        let request = ImageRequest(url: origin.url("/a.png"), options: .waitForStore)
        #expect(try await only(loader, request).image?.pixels()[0, 0] == [55, 100, 50, 255])
        #expect(try loader.store.imageInMemory(request.url)?.image.pixels()[0, 0] == [55, 100, 50, 255])
        loader.store.clearMemory()
        #expect(try await only(loader, request).image?.pixels()[0, 0] == [55, 100, 50, 255])
        #expect(try await only(loader, request).source == .memory)
        let same = ImageRequest(url: origin.url("/same.png"), options: .waitForStore)
        _ = try await only(loader, same)
        let file = try #require(loader.store.disk?.fileName(for: same.url))
        #expect(try folder.read(file) == TestImages.png())
    }

    @Test(
        "A transformation that discards the image stores nothing and completes without image and error",
        .checks("sdwebimage.manager.transform-nil")
    )
    func transformNil() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader(folder: folder) { $0.transform = { _, _ in nil } }
        let result = try await only(loader, ImageRequest(url: origin.url("/a")))
        #expect(result.image == nil && result.error == nil && result.isFinal)
        #expect(loader.store.imageInMemory(origin.url("/a")) == nil)
        #expect(folder.names == [])
    }

    @Test(
        "Animations are transformed only with the option",
        .checks("sdwebimage.manager.transform-animated")
    )
    func transformAnimated() async throws {
        let gif = Array("GIF89a".utf8) + [4, 0, 4, 0, 2, 0, 0]
        let origin = try ImageOrigin([.image("/a", gif)])
        let asked = Heard<String>()
        let loader = try origin.loader(codecs: ImageCodecs([TwoFrameCodec()])) {
            $0.transform = { image, url in
                asked.add(url)
                return image
            }
        }
        _ = await results(loader, ImageRequest(url: origin.url("/a"), options: .loaderOnly))
        #expect(asked.count == 0)
        _ = await results(
            loader,
            ImageRequest(url: origin.url("/a"), options: [.loaderOnly, .transformAnimated])
        )
        #expect(asked.count == 1)
    }

    // MARK: Storing

    @Test("With memory-only, nothing is written to disk", .checks("sdwebimage.manager.memory-only-option"))
    func memoryOnly() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader(folder: folder)
        let request = ImageRequest(url: origin.url("/a"), options: .memoryOnly)
        #expect(try await only(loader, request).source == .network)
        #expect(try await only(loader, request).source == .memory)
        await loader.store.queue.drain()
        #expect(folder.names == [])
    }

    @Test(
        "Only complete images are stored",
        .checks("sdwebimage.manager.store-when-finished", "sdwebimage.operation.progressive-unfinished")
    )
    func onlyWhole() async throws {
        let folder = try TestFolder()
        let bytes = try JPEGCodec().encode(TestImages.noise(64, 64), quality: 1)
        let origin = try ImageOrigin([
            .image("/a", bytes) {
                $0.fields.append(FieldLine("Content-Length", .text("\(bytes.count)")))
                $0.faults = [Fault(.stall(.untilReleased), at: .body, byte: bytes.count * 6 / 10)]
            }
        ])
        let loader = try origin.loader(folder: folder)
        let heard = Heard<ImageResult>()
        let load = loader.load(ImageRequest(url: origin.url("/a"), options: .progressive)) { heard.add($0) }
        await until { heard.count == 1 }
        let partial = try #require(heard.values.first)
        #expect(!partial.isFinal && partial.bytes == nil && partial.error == nil && partial.image != nil)
        load.cancel()
        await until { loader.downloader.runningTransfers == 0 }
        #expect(loader.store.imageInMemory(origin.url("/a")) == nil)
        await loader.store.queue.drain()
        #expect(folder.names == [])
    }

    @Test(
        "Completions of every kind are called on the delivery queue",
        .checks("sdwebimage.manager.main-callbacks")
    )
    func deliveryQueue() async throws {
        let origin = try ImageOrigin([
            .image("/a", TestImages.png()), .path("/404", [.status(404)]), .image("/veto", []),
        ])
        let loader = try origin.loader { $0.shouldDownload = { !$0.hasSuffix("/veto") } }
        let (places, delivery) = (Heard<Bool>(), origin.delivery)
        let urls = [
            "", origin.url("/a"), origin.url("/a"), origin.url("/404"), origin.url("/404"),
            origin.url("/veto"),
        ]
        for (number, url) in urls.enumerated() {
            loader.load(ImageRequest(url: url)) { _ in places.add(delivery.isCurrent) }
            await until { places.count == number + 1 }
        }
        #expect(places.values == [Bool](repeating: true, count: 6))
    }

    @Test(
        "A 304 to the caller's own condition returns the cached image, and is not a failure",
        .checks("sdwebimage.operation.status-304")
    )
    func ownCondition() async throws {
        let origin = try ImageOrigin([.path("/a", [.status(304)])])
        let loader = try origin.loader { $0.failureRule = .documented }
        loader.store.store(try TestImages.image(2, 2), for: origin.url("/a"))
        let request = ImageRequest(
            url: origin.url("/a"),
            fields: [.ifNoneMatch: "\"x\""],
            options: .loaderOnly
        )
        let result = try await only(loader, request)
        #expect(result.image?.size.width == 2 && result.error == nil && result.isNotModified)
        #expect(loader.failedURLs.count == 0)
        loader.store.clearMemory()
        let nothing = try await only(loader, request)
        #expect(nothing.image == nil && nothing.error == nil && nothing.isNotModified)
    }

    @Test("Cache-only sends nothing, and loader-only queries no cache")
    func onlyOptions() async throws {
        let origin = try ImageOrigin([.image("/a", TestImages.png())])
        let loader = try origin.loader()
        let cacheOnly = ImageRequest(url: origin.url("/a"), options: .cacheOnly)
        #expect(try await only(loader, cacheOnly).image == nil)
        #expect(origin.hits() == 0)
        let loaderOnly = ImageRequest(url: origin.url("/a"), options: .loaderOnly)
        for _ in 0..<2 { #expect(try await only(loader, loaderOnly).source == .network) }
        #expect(origin.hits() == 2)
        #expect(try await only(loader, cacheOnly).source == .memory)
    }

    @Test(
        "With HTTP freshness, a fresh image is shown, and a stale one validated and reported once as not modified"
    )
    func httpFreshness() async throws {
        let folder = try TestFolder()
        let tagged: @Sendable (inout Answer) -> Void = { $0.entityTag = .md5 }
        let bytes = try TestImages.png()
        let origin = try ImageOrigin([.path("/a", [.image(bytes, cacheControl: "max-age=60", tagged)])])
        let loader = try origin.loader(folder: folder) { $0.freshness = .http }
        let request = ImageRequest(url: origin.url("/a"), options: .waitForStore)
        #expect(try await only(loader, request).source == .network)
        origin.clock.advance(by: .seconds(59))
        #expect(try await only(loader, request).source == .memory)
        loader.store.clearMemory()
        #expect(try await only(loader, request).source == .disk)
        #expect(origin.hits() == 1)
        origin.clock.advance(by: .seconds(1))
        let validated = try await only(loader, request)
        #expect(validated.isNotModified && validated.image != nil)
        #expect(origin.namespace.record().map(\.status) == [200, 304])
        origin.clock.advance(by: .seconds(59))
        #expect(try await only(loader, request).isNotModified == false)
        #expect(origin.hits() == 2)
        await loader.store.queue.drain()
        loader.store.clearMemory()
        #expect(try await only(loader, request).source == .disk)
        #expect(origin.hits() == 2)
    }

    @Test(
        "After a restart, a disk level avoids the requests that memory alone would repeat",
        .checks("sdwebimage.vs-af.saves-traffic", "af2.image.no-disk")
    )
    func restart() async throws {
        let routes = try (0..<20).map { try Route.image("/\($0)", TestImages.png(4 + $0, 4)) }
        let folder = try TestFolder()
        for (usesDisk, expected) in [(true, 20), (false, 40)] {
            let origin = try ImageOrigin(routes)
            // The folder's files must not be found by another iteration of this loop.
            folder.removeAll()
            for _ in 0..<2 {
                let loader = try origin.loader(folder: usesDisk ? folder : nil)
                for number in 0..<20 {
                    let request = ImageRequest(url: origin.url("/\(number)"), options: .waitForStore)
                    #expect(try await only(loader, request).image?.size.width == 4 + number)
                }
            }
            #expect(origin.hits() == expected)
            #expect(folder.names.isEmpty == !usesDisk)
        }
    }

    @Test("Deleting the cache folder does not disturb a running loader")
    func deletedFolder() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([.image("/a", TestImages.png()), .image("/b", TestImages.png())])
        let loader = try origin.loader(folder: folder)
        _ = try await only(loader, ImageRequest(url: origin.url("/a"), options: .waitForStore))
        TestFolder.remove(folder.path)
        _ = try await only(loader, ImageRequest(url: origin.url("/b"), options: .waitForStore))
        #expect(folder.names.count == 1)
    }
}

/// The result type of stand-ins for overloads that the library must not have.
struct NoOverload: Equatable {}

extension ImageLoader {
    @_disfavoredOverload
    fileprivate func load(_ request: ImageRequest) -> NoOverload { NoOverload() }
    @_disfavoredOverload
    fileprivate func load(_ request: ImageRequest, completion: Never?) -> NoOverload { NoOverload() }
}
