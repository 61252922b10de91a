import CacheStorage
import Clocks
import ImageLoading
import Locks
import Testing
import TestSupport

@Suite("The two-level image store")
struct ImageStoreTests {
    private let clock = VirtualClock(wallSeconds: 1_000_000)
    private let delivery = SerialDelivery()
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func store(
        memory: any ImageMemoryCache = CostImageCache(),
        codecs: ImageCodecs = ImageCodecs(),
        _ change: (inout ImageStore.Configuration) -> Void = { _ in }
    ) -> ImageStore {
        var configuration = ImageStore.Configuration()
        change(&configuration)
        let disk = DiskImageCache(DiskImageCache.Configuration(directory: folder.path), clock: clock)
        return ImageStore(configuration, memory: memory, disk: disk, codecs: codecs)
    }

    @Test(
        "The memory level is above plain files",
        .checks("sdwebimage.cache.levels", "sdwebimage.cache.survives-restart")
    )
    func levels() async throws {
        let store = store()
        let bytes = try TestImages.png()
        store.store(try store.codecs.image(from: bytes), bytes: bytes, for: "http://h/a.png")
        #expect(await store.image(for: "http://h/a.png")?.source == .memory)
        await store.queue.drain()
        store.clearMemory()
        #expect(await store.image(for: "http://h/a.png")?.source == .disk)
        let restarted = self.store()
        #expect(await restarted.image(for: "http://h/a.png")?.source == .disk)
        restarted.clearMemory()
        folder.removeAll()
        #expect(await restarted.image(for: "http://h/a.png") == nil)
    }

    @Test("All memory caches can be used", .checks("nscache.used-by-both-libraries"))
    func anyMemory() async throws {
        let memories: [any ImageMemoryCache] = [
            CostImageCache(), CostImageCache(cost: .bytes), AutoPurgingImageCache(clock: clock),
        ]
        for memory in memories {
            let store = store(memory: memory)
            store.store(try TestImages.image(2, 2), for: "k", onDisk: false)
            #expect(await store.image(for: "k")?.source == .memory)
        }
    }

    @Test(
        "A query without a completion, or without a key, ends immediately",
        .checks("sdwebimage.cache.query-no-block", "sdwebimage.cache.query-no-key")
    )
    func emptyQueries() {
        let store = store()
        store.queue.suspend()
        #expect(store.query("k", on: delivery, completion: nil) == nil)
        let answers = Lock([Bool]())
        let query = store.query(nil, on: delivery) { found in answers.withLock { $0.append(found == nil) } }
        #expect(query == nil)
        #expect(answers.withLock { $0 } == [true])
        store.queue.resume()
    }

    @Test(
        "A hit in memory is returned immediately, without a query object",
        .checks("sdwebimage.cache.query-memory-first")
    )
    func memoryFirst() throws {
        let store = store()
        store.store(try TestImages.image(2, 2), for: "k", onDisk: false)
        store.queue.suspend()
        defer { store.queue.resume() }
        let sources = Lock([ImageSource?]())
        let query = store.query("k", on: delivery) { found in sources.withLock { $0.append(found?.source) } }
        #expect(query == nil)
        #expect(sources.withLock { $0 } == [.memory])
    }

    @Test(
        "The result from disk is delivered on the delivery queue, and its image is then in memory",
        .checks("sdwebimage.cache.query-disk-async", "sdwebimage.cache.disk-hit-promoted")
    )
    func diskQuery() async throws {
        let store = store()
        store.store(try TestImages.image(2, 2), for: "k")
        await store.queue.drain()
        store.clearMemory()
        store.queue.suspend()
        let answers = Lock([(ImageSource?, Bool)]())
        let delivery = delivery
        let query = store.query("k", on: delivery) { found in
            let isThere = delivery.isCurrent
            answers.withLock { $0.append((found?.source, isThere)) }
        }
        #expect(query != nil)
        #expect(answers.withLock { $0.isEmpty })
        store.queue.resume()
        await store.queue.drain()
        await delivery.drain()
        let answer = try #require(answers.withLock { $0.first })
        #expect(answer == (.disk, true))
        folder.removeAll()
        #expect(await store.image(for: "k")?.source == .memory)
    }

    @Test(
        "A query that is cancelled before the disk is read calls no completion",
        .checks("sdwebimage.cache.query-cancel")
    )
    func cancelledQuery() async {
        let store = store()
        store.queue.suspend()
        let count = Lock(0)
        let query = store.query("k", on: delivery) { _ in count.withLock { $0 += 1 } }
        query?.cancel()
        store.queue.resume()
        await store.queue.drain()
        await delivery.drain()
        #expect(count.withLock { $0 } == 0)
    }

    @Test("A miss has no image and no source", .checks("sdwebimage.cache.miss-type"))
    func miss() async {
        #expect(await store().image(for: "k") == nil)
    }

    @Test("Without an image or a key, nothing is stored", .checks("sdwebimage.cache.store-guards"))
    func guards() async throws {
        let memory = CostImageCache()
        let store = store(memory: memory)
        store.store(nil, for: "k")
        store.store(try TestImages.image(1, 1), for: nil)
        await store.queue.drain()
        #expect(memory.count == 0)
        #expect(folder.names == [])
    }

    @Test(
        "An image is in memory immediately, and on disk after the queue's earlier work",
        .checks("sdwebimage.cache.store-order")
    )
    func order() async throws {
        let store = store()
        store.queue.suspend()
        store.store(try TestImages.image(2, 2), for: "k")
        #expect(store.imageInMemory("k") != nil)
        #expect(folder.names == [])
        store.queue.resume()
        await store.queue.drain()
        #expect(folder.names.count == 1)
    }

    @Test(
        "The file is the origin's bytes",
        .checks("sdwebimage.cache.store-claim-uiimage", "sdwebimage.cache.store-raw-bytes")
    )
    func rawBytes() async throws {
        let store = store()
        let bytes = try TestImages.jpeg()
        store.store(try store.codecs.image(from: bytes), bytes: bytes, for: "k")
        await store.queue.drain()
        #expect(folder.names.compactMap { folder.read($0) } == [bytes])
    }

    @Test(
        "An image is encoded as PNG without bytes or with a PNG's, otherwise as JPEG of quality 1",
        .checks(
            "sdwebimage.cache.store-reencode-format",
            "sdwebimage.cache.jpeg-quality",
            "sdwebimage.cache.png-signature",
            "sdwebimage.cache.reencode-other-platform"
        ),
        arguments: [
            (nil, .png), ([137, 80, 78, 71, 13, 10, 26, 10], .png),
            ([137, 80, 78, 71, 13, 10, 26, 11], .jpeg),
            ([137, 80, 78, 71, 13, 10, 26], .png), ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0], .jpeg),
        ] as [([UInt8]?, ImageFormat)]
    )
    func reencoding(bytes: [UInt8]?, expected: ImageFormat) async throws {
        let spy = QualitySpy()
        let store = store(codecs: ImageCodecs([spy]))
        let pixels = try TestImages.pixels(4, 4, alpha: 100)
        store.store(RasterImage(pixels), bytes: bytes, reencodes: true, for: "k")
        await store.queue.drain()
        let file = try #require(folder.names.first.flatMap { folder.read($0) })
        #expect(ImageFormat(sniffing: file) == expected)
        #expect(spy.qualities == (expected == .jpeg ? [1.0] : []))
        if expected == .png { #expect(try ImageCodecs().image(from: file).pixels() == pixels) }
    }

    @Test(
        "The URL including its query is the key, and a filter may map it",
        .checks("sdwebimage.cache.key-is-url")
    )
    func keys() {
        let plain = store()
        #expect(plain.key(for: "http://h/a?x=1") == "http://h/a?x=1")
        #expect(plain.disk?.fileName(for: "http://h/a?x=1") != plain.disk?.fileName(for: "http://h/a?x=2"))
        let filtered = store { $0.key = { String($0.prefix { $0 != "?" }) } }
        #expect(filtered.key(for: "http://h/a?token=1") == filtered.key(for: "http://h/a?token=2"))
    }

    @Test(
        "Cleaning ends once, and life cycle events trigger it",
        .checks("sdwebimage.cache.clean.async", "sdwebimage.cache.clean.automatic")
    )
    func cleaning() async throws {
        let memory = CostImageCache()
        let store = store(memory: memory)
        for event in [ImageStore.LifecycleEvent.background, .shutdown] {
            store.store(try TestImages.image(2, 2), for: "k")
            await store.queue.drain()
            clock.advance(by: .seconds(604_800))
            store.queue.suspend()
            let ended = Lock(0)
            let task = Task {
                await store.clean(on: event)
                ended.withLock { $0 += 1 }
            }
            #expect(folder.names.count == 1 && ended.withLock { $0 } == 0)
            store.queue.resume()
            await task.value
            #expect(folder.names == [] && ended.withLock { $0 } == 1)
        }
        await store.clean(on: .memoryPressure)
        #expect(memory.count == 0)
    }

    @Test("Cleaning runs on the disk's queue", .checks("sdwebimage.cache.clean.async"))
    func cleaningQueue() async throws {
        let executor = ThreadExecutor()
        let isOnQueue = Lock([Bool]())
        var configuration = DiskImageCache.Configuration(directory: folder.path)
        configuration.countedSize = { length, _ in
            isOnQueue.withLock { $0.append(executor.isCurrent) }
            return length
        }
        let store = ImageStore(
            disk: DiskImageCache(configuration, clock: clock),
            queue: DiskQueue(on: executor)
        )
        store.store(try TestImages.image(2, 2), for: "k")
        await store.queue.drain()
        #expect(await store.clean().left == 1)
        #expect(isOnQueue.withLock { $0 } == [true])
    }

    @Test("Levels, limits, age and decoding can be configured", .checks("sdwebimage.cache.config"))
    func configuration() async throws {
        let noMemory = store { $0.cachesInMemory = false }
        noMemory.store(try TestImages.image(2, 2), for: "k")
        #expect(noMemory.imageInMemory("k") == nil)
        #expect(await noMemory.image(for: "k")?.source == .disk)
        #expect(noMemory.imageInMemory("k") == nil)
        folder.removeAll()
        let noDisk = store { $0.cachesOnDisk = false }
        noDisk.store(try TestImages.image(2, 2), for: "k")
        await noDisk.queue.drain()
        #expect(folder.names == [])
        let lazily = store { $0.decompresses = false }
        lazily.store(try TestImages.image(2, 2), for: "k")
        await lazily.queue.drain()
        lazily.clearMemory()
        #expect(await lazily.image(for: "k")?.entry.image.isDecoded == false)
        let limited = CostImageCache(costLimit: 3)
        store(memory: limited).store(try TestImages.image(2, 2), for: "k", onDisk: false)
        #expect(limited.count == 0)
        let defaults = DiskImageCache.Configuration(directory: "/")
        #expect(defaults.ageLimit == .seconds(604_800) && defaults.sizeLimit == nil)
    }

    @Test(
        "Two caches in separate folders do not share files",
        .checks("sdwebimage.slot.own-cache-path")
    )
    func ownPath() async throws {
        let other = try TestFolder()
        let disk = DiskImageCache(DiskImageCache.Configuration(directory: other.path), clock: clock)
        let first = store()
        let second = ImageStore(disk: disk)
        first.store(try TestImages.image(2, 2), for: "k")
        await first.queue.drain()
        #expect(await second.image(for: "k") == nil)
        await second.clearDisk()
        #expect(folder.names.count == 1)
    }

    @Test("A file that is no longer an image is a miss, is removed, and is reported")
    func damagedFile() async throws {
        let store = store()
        store.store(try TestImages.image(2, 2), bytes: Array("rubbish".utf8), for: "k")
        await store.queue.drain()
        store.clearMemory()
        #expect(await store.image(for: "k") == nil)
        #expect(folder.names == [])
        #expect(store.failures == [.zeroPixels])
    }

    @Test("Size, removal and clearing apply to both levels")
    func removal() async throws {
        let store = store()
        let bytes = try TestImages.png()
        for key in ["a", "b", "c"] {
            store.store(try store.codecs.image(from: bytes), bytes: bytes, for: key)
        }
        #expect(await store.diskSize() == CacheSize(files: 3, total: .bytes(3 * bytes.count)))
        await store.remove("a")
        #expect(await store.image(for: "a") == nil)
        await store.remove("b", fromDisk: false)
        #expect(await store.image(for: "b")?.source == .disk)
        await store.clearDisk()
        store.clearMemory()
        #expect(await store.image(for: "c") == nil)
    }
}

/// A JPEG codec that records the qualities it is called with.
private final class QualitySpy: ImageCodec {
    private let seen = Lock([Double]())
    var format: ImageFormat { .jpeg }
    var qualities: [Double] { seen.withLock { $0 } }

    func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? { try JPEGCodec().header(of: bytes) }

    func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer {
        try JPEGCodec().decode(bytes, allowsTruncation: allowsTruncation)
    }

    func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        seen.withLock { $0.append(quality) }
        return try JPEGCodec().encode(pixels, quality: quality)
    }
}
