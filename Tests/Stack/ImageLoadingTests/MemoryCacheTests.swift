import CacheClient
import CacheStorage
import Clocks
import HTTPTypes
import ImageLoading
import Testing
import TestSupport

@Suite("Memory caches by cost")
struct MemoryCacheTests {
    @Test(
        "A thousand keys are set, read, replaced and removed",
        .checks("nscache.dictionary-like")
    )
    func dictionary() {
        let cache = CostCache<Int, String>()
        for key in 0..<1000 { cache[key] = "a\(key)" }
        #expect(cache.count == 1000)
        for key in 0..<1000 { #expect(cache[key] == "a\(key)") }
        for key in 0..<1000 { cache[key] = "b\(key)" }
        #expect(cache.count == 1000)
        #expect(cache[999] == "b999")
        for key in 0..<999 { #expect(cache.remove(key) == "b\(key)") }
        cache[999] = nil
        #expect(cache.count == 0 && cache[999] == nil)
    }

    @Test("A new cache is empty, without the images of an older one", .checks("nscache.memory-only"))
    func newIsEmpty() throws {
        let older = CostImageCache()
        older.store(try TestImages.image(1, 1), for: "a")
        #expect(older.count == 1)
        let newer = CostImageCache()
        #expect(newer.count == 0 && newer.image(for: "a") == nil)
    }

    @Test("Beyond the limit, the least recently used values are removed", .checks("nscache.auto-evicts"))
    func evicts() {
        let cache = CostCache<Int, Int>(costLimit: 100)
        for key in 1...10 { cache.insert(key, for: key, cost: 10) }
        #expect(cache[1] == 1)
        cache.insert(11, for: 11, cost: 10)
        #expect(cache.totalCost == 100)
        #expect(cache[2] == nil)
        #expect(cache[1] == 1 && cache[3] == 3 && cache[11] == 11)
        cache.insert(12, for: 12, cost: 101)
        #expect(cache[12] == nil && cache.totalCost == 100)
        cache.setLimits(cost: 30, count: 2)
        #expect(cache.count == 2 && cache.totalCost == 20)
    }

    @Test("A count limit applies without costs")
    func counts() {
        let cache = CostCache<Int, Int>(countLimit: 3)
        for key in 1...5 { cache[key] = key }
        #expect((1...5).map { cache[$0] } == [nil, nil, 3, 4, 5])
    }

    @Test("A warning removes half, and critical pressure everything", .checks("nscache.auto-evicts"))
    func pressure() throws {
        let pressure = ScriptedMemoryPressure()
        let cache = CostImageCache(cost: .bytes, pressure: pressure)
        for key in 0..<10 { cache.store(try TestImages.image(10, 10), for: "\(key)") }
        #expect(cache.totalCost == 4000)
        pressure.signal(.warning)
        #expect(cache.totalCost == 2000)
        #expect(cache.image(for: "0") == nil && cache.image(for: "9") != nil)
        pressure.signal(.critical)
        #expect(cache.count == 0)
    }

    @Test("A released cache receives no pressure signals")
    func endOfSubscription() throws {
        let pressure = ScriptedMemoryPressure()
        var cache: CostImageCache? = CostImageCache(pressure: pressure)
        weak let seen = cache
        cache = nil
        #expect(seen == nil)
        pressure.signal(.critical)
    }

    @Test(
        "A 100 × 50 image at scale 2 costs 20,000 pixels, or 80,000 bytes",
        .checks("nscache.cost-is-pixels", "sdwebimage.cache.cost")
    )
    func cost() throws {
        let image = try TestImages.image(200, 100, scale: 2)
        #expect((image.pointWidth, image.pointHeight) == (100, 50))
        #expect(ImageCost.pixels.of(image) == 20_000)
        #expect(ImageCost.bytes.of(image) == 80_000)
        let cache = CostImageCache()
        cache.store(image, for: "a")
        #expect(cache.totalCost == 20_000)
    }

    @Test(
        "Clearing an image cache does not affect the HTTP cache, and vice versa",
        .checks("urlcache.unrelated-to-nscache")
    )
    func unrelated() throws {
        let clock = VirtualClock(wallSeconds: 0)
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        let client = CachingClient(store: store, transport: try CurlTransport(), clock: clock)
        let request = ClientRequest(url: "http://localhost/a")
        let response = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
        client.store(response, body: [1], for: request)
        let cache = CostImageCache()
        cache.store(try TestImages.image(1, 1), for: request.url)
        cache.removeAllImages()
        #expect(client.cachedResponse(for: request) != nil)
        cache.store(try TestImages.image(1, 1), for: request.url)
        client.removeAllCachedResponses()
        #expect(cache.image(for: request.url) != nil)
    }

    @Test("Pressure stall information is monitored, or its absence is reported")
    func stalls() throws {
        let error = failure { () throws(ImageError) in
            try KernelMemoryPressureSource(path: "/nonexistent/memory")
        }
        #expect(error?.detail.contains("/nonexistent/memory") == true)
        // If the kernel permits it, the thread ends with the monitor.
        if let monitor = try? KernelMemoryPressureSource() { _ = monitor.subscribe { _ in } }
    }
}
