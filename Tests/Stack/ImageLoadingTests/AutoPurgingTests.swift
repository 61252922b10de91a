import CLibrary
import Clocks
import HTTPTypes
@testable import ImageLoading
import Locks
import Testing
import TestSupport

@Suite("The auto-purging image cache of the documents", .timeLimit(.minutes(20)))
struct AutoPurgingTests {
    private let clock = VirtualClock(wallSeconds: 0)

    /// A pixel has four bytes, so sizes are multiples of four.
    private func cache(_ capacity: Int, _ preferred: Int) -> AutoPurgingImageCache {
        AutoPurgingImageCache(capacity: .bytes(capacity), preferredUsage: .bytes(preferred), clock: clock)
    }

    /// Returns an image of this size in bytes.
    private func image(_ bytes: Int) throws -> RasterImage { try TestImages.image(bytes / 4, 1) }

    @Test(
        "An entry has image, identifier, bytes and the time of its last access",
        .checks("afnetworking.image-cache.entry")
    )
    func entry() throws {
        let cache = cache(1000, 500)
        clock.advance(by: .seconds(7))
        cache.store(try TestImages.image(10, 10), for: "a")
        let entry = try #require(cache.entries.first)
        #expect(entry.size == .bytes(400))
        #expect(entry.identifier == "a")
        #expect(entry.lastAccess == .seconds(7))
        #expect(entry.image.size == PixelSize(width: 10, height: 10))
    }

    @Test(
        "A read updates the last access, by identifier and by request",
        .checks("afnetworking.image-cache.access-touches", "afnetworking.image-cache.sample-does-not-touch")
    )
    func touches() throws {
        let cache = cache(1000, 500)
        cache.store(try image(4), for: "http://h/a")
        clock.advance(by: .seconds(1))
        cache.store(try image(4), for: "http://h/b")
        clock.advance(by: .seconds(1))
        #expect(cache.image(for: "http://h/a") != nil)
        #expect(cache.entries.map(\.identifier) == ["http://h/b", "http://h/a"])
        clock.advance(by: .seconds(1))
        #expect(cache.entry(for: ImageRequest(url: "http://h/b")) != nil)
        #expect(cache.entries.map(\.identifier) == ["http://h/a", "http://h/b"])
        #expect(cache.entries.map(\.lastAccess) == [.seconds(2), .seconds(3)])
    }

    @Test(
        "Identifiers and requests reach the same entries, regardless of fields",
        .checks("afnetworking.image-cache.protocols", "afnetworking.image-cache.key")
    )
    func requests() throws {
        let cache = cache(1000, 500)
        let request = ImageRequest(url: "http://h/a?x=1", fields: [.accept: "image/png"])
        cache.store(CachedImage(try image(4)), for: request)
        #expect(cache.image(for: "http://h/a?x=1") != nil)
        #expect(cache.entry(for: ImageRequest(url: "http://h/a?x=1", fields: [.accept: "text/html"])) != nil)
        #expect(cache.entry(for: ImageRequest(url: "http://h/a?x=2")) == nil)
        cache.store(CachedImage(try image(8)), for: request, variant: "round")
        #expect(cache.count == 2)
        #expect(cache.removeImage(for: request))
        #expect(!cache.removeImage(for: request))
        #expect(cache.usage == .bytes(8))
    }

    @Test(
        "The defaults are 100 MiB, and 60 MiB after a purge",
        .checks("afnetworking.image-cache.capacity-100-60", "afnetworking.image-cache.properties")
    )
    func properties() throws {
        let defaults = AutoPurgingImageCache(clock: clock)
        #expect(defaults.capacity == .bytes(104_857_600))
        #expect(defaults.preferredUsage == .bytes(62_914_560))
        let cache = cache(1000, 500)
        cache.store(try image(40), for: "a")
        cache.store(try image(60), for: "b")
        #expect(cache.usage == .bytes(100))
        cache.removeImage(for: "a")
        #expect(cache.usage == .bytes(60))
        cache.removeAllImages()
        #expect(cache.usage == .bytes(0))
    }

    @Test("A replaced image no longer counts", .checks("afnetworking.image-cache.replace-adjusts-usage"))
    func replaces() throws {
        let cache = cache(1000, 500)
        cache.store(try image(400), for: "a")
        cache.store(try image(100), for: "a")
        #expect(cache.usage == .bytes(100))
        #expect(cache.count == 1)
    }

    @Test(
        "Usage equal to the capacity purges nothing, more does, and reading never does",
        .checks("afnetworking.image-cache.purge-trigger", "afnetworking.image-cache.auto-purge-on-add")
    )
    func trigger() throws {
        let cache = cache(100, 60)
        for key in 0..<25 { cache.store(try image(4), for: "\(key)") }
        #expect(cache.usage == .bytes(100) && cache.count == 25)
        for key in 0..<25 { _ = cache.image(for: "\(key)") }
        #expect(cache.count == 25)
        cache.store(try image(4), for: "25")
        #expect(cache.usage == .bytes(60))
    }

    @Test(
        "A purge removes current usage minus preferred usage, least recently used first, and no more",
        .checks(
            "afnetworking.image-cache.purge-amount",
            "afnetworking.image-cache.purge-lru",
            "afnetworking.image-cache.purge-accounting"
        )
    )
    func purges() throws {
        let cache = cache(100, 60)
        for key in 1...10 {
            cache.store(try image(8), for: "\(key)")
            clock.advance(by: .seconds(1))
        }
        #expect(cache.image(for: "1") != nil && cache.image(for: "2") != nil)
        cache.store(try image(24), for: "11")
        // 104 − 60 = 44 bytes must be removed: six images of 8.
        #expect(cache.entries.map(\.identifier) == ["9", "10", "1", "2", "11"])
        #expect(cache.usage == .bytes(56))
        #expect(cache.usage == .bytes(cache.entries.reduce(0) { $0 + $1.size.bytes }))
    }

    @Test(
        "Of eleven images of a tenth of the capacity, a purge leaves six",
        .checks("afnetworking.image-cache.purge-amount")
    )
    func eleven() throws {
        let cache = cache(400, 240)
        for key in 1...11 { cache.store(try image(40), for: "\(key)") }
        #expect(cache.entries.map(\.identifier) == ["6", "7", "8", "9", "10", "11"])
    }

    @Test(
        "A read immediately after an add finds the image",
        .checks("afnetworking.image-cache.read-after-add")
    )
    func readAfterAdd() throws {
        let cache = cache(1000, 500)
        for key in 0..<100 {
            cache.store(try image(4), for: "\(key)")
            #expect(cache.image(for: "\(key)") != nil)
        }
    }

    @Test("Two readers can read concurrently", .checks("afnetworking.image-cache.read-concurrent"))
    func parallelReads() async throws {
        // Each waits inside for the other; in vain if readers exclude each other.
        let (inside, isAlone) = (Lock(0), Lock(false))
        let cache = AutoPurgingImageCache(.bytes(1000), .bytes(500), clock, nil) {
            inside.withLock { $0 += 1 }
            let end = ContinuousClock.now + .seconds(10)
            while inside.withLock({ $0 }) < 2, ContinuousClock.now < end { sched_yield() }
            if inside.withLock({ $0 }) < 2 { isAlone.withLock { $0 = true } }
        }
        cache.store(try image(4), for: "a")
        let threads = (0..<2).map { _ in BlockingThread { _ = cache.image(for: "a") } }
        for thread in threads { thread.join() }
        #expect(!isAlone.withLock { $0 })
    }

    @Test(
        "Concurrent writers and readers see usage that matches the contents",
        .checks("afnetworking.image-cache.write-barrier")
    )
    func barrier() async throws {
        let cache = cache(400, 240)
        let picture = try image(40)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask { for key in 0..<200 { cache.store(picture, for: "\(writer)-\(key % 20)") } }
                group.addTask {
                    for key in 0..<200 {
                        _ = cache.image(for: "\(writer)-\(key % 20)")
                        let usage = cache.usage.bytes
                        #expect(usage <= 400 && usage % 40 == 0)
                    }
                }
            }
        }
        #expect(cache.usage == .bytes(cache.entries.reduce(0) { $0 + $1.size.bytes }))
    }

    @Test("Memory pressure empties the cache", .checks("af2.image.memory-cache-is-nscache"))
    func pressure() throws {
        let pressure = ScriptedMemoryPressure()
        let cache = AutoPurgingImageCache(clock: clock, pressure: pressure)
        cache.store(try image(40), for: "a")
        pressure.signal(.warning)
        #expect(cache.count == 0 && cache.usage == .bytes(0))
    }
}

/// A thread that a test may block.
final class BlockingThread: @unchecked Sendable {
    // Reason: `thread` is written before the thread can be joined, by the thread that joins it.
    private var thread = pthread_t()
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        pthread_create(&thread, nil, runBlockingThread, Unmanaged.passRetained(self).toOpaque())
    }

    func join() { pthread_join(thread, nil) }

    fileprivate func run() { work() }
}

private func runBlockingThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<BlockingThread>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
