import CacheSemantics
import CLibrary
import Clocks
import Fetching
import ImageLoading
import Testing
import TestSupport

@Suite("The chained fetcher's image cache: names by SHA-1, PNG on disk", .timeLimit(.minutes(20)))
struct FetcherImageCacheTests {
    private let clock = VirtualClock(wallSeconds: 1_000_000)
    private let folder: TestFolder
    private let url = "http://localhost:8090/image"
    private let name = "c1fcca84b23535bc8134832efd354faede34e877"

    init() throws { folder = try TestFolder() }

    private func store(
        memory: any ImageMemoryCache = CostImageCache(),
        _ change: (inout DiskImageCache.Configuration) -> Void = { _ in }
    ) -> ImageStore {
        var configuration = DiskImageCache.Configuration(directory: folder.path)
        configuration.naming = .sha1
        change(&configuration)
        return ImageStore(memory: memory, disk: DiskImageCache(configuration, clock: clock))
    }

    private func put(_ image: RasterImage, for key: String, in store: ImageStore) async {
        await withCheckedContinuation { continuation in
            store.store(image, for: key) { continuation.resume() }
        }
    }

    @Test(
        "An image's file is the PNG of its pixels, named by the SHA-1 of its URL, in the configured folder",
        .checks("sqfetch.cache.sha1-file-name", "sqfetch.cache.png-on-disk", "sqfetch.cache.directory")
    )
    func file() async throws {
        let store = store()
        await put(try ImageCodecs().image(from: TestImages.jpeg(16, 8)), for: url, in: store)
        // The temporary file is gone, and there are no other files.
        #expect(folder.names == [name])
        #expect(folder.read(name)?.prefix(8) == [137, 80, 78, 71, 13, 10, 26, 10])
        store.clearMemory()
        #expect(await store.image(for: url)?.entry.image.size == PixelSize(width: 16, height: 8))
        #expect(FileNaming.sha1.name(for: url + "?size=small") == "a41a16047375fd4ac542ffb30e04b2cbea78eb14")
    }

    @Test(
        "Memory is queried before disk, and an image found on disk is in memory afterwards",
        .checks("sqfetch.cache.two-level", "sqfetch.cache.disk-hit-not-promoted")
    )
    func levels() async throws {
        let store = store()
        await put(try TestImages.image(2, 2), for: url, in: store)
        store.store(try TestImages.image(4, 4), for: url, onDisk: false)
        let first = await store.image(for: url)
        #expect(first?.entry.image.size.width == 4)
        #expect(first?.source == .memory)
        store.clearMemory()
        let second = await store.image(for: url)
        #expect(second?.entry.image.size.width == 2)
        #expect(second?.source == .disk)
        folder.removeAll()
        #expect(await store.image(for: url)?.source == .memory)
    }

    @Test("Images on disk persist after the program ends", .checks("sqfetch.cache.survives-restart"))
    func restart() async throws {
        await put(try TestImages.image(2, 2), for: url, in: store())
        #expect(await store().image(for: url)?.source == .disk)
    }

    @Test(
        "Clearing the disk empties the cache's own folder; memory is cleared separately",
        .checks("sqfetch.cache.clear-disk")
    )
    func clearing() async throws {
        let store = store()
        await put(try TestImages.image(2, 2), for: url, in: store)
        await store.clearDisk()
        #expect(folder.names.isEmpty)
        #expect(await store.image(for: url)?.source == .memory)
        store.clearMemory()
        #expect(await store.image(for: url) == nil)
    }

    @Test(
        "Each store of an image inspects the disk after it has returned: name, size, owner and both dates of each file",
        .checks("sqfetch.cache.inspect-disk")
    )
    func inspection() async throws {
        let inspections = Heard<[DiskImageCache.File]>()
        var profile = ImageProfile.sqFetch
        profile.images.onInspection = { inspections.add($0) }
        let store = profile.imageStore(directory: folder.path, clock: clock, pressure: nil)
        let begin = SystemClock().timeSinceEpoch
        store.queue.suspend()
        store.store(try TestImages.image(2, 2), for: url)
        #expect(inspections.values.isEmpty && folder.names.isEmpty)
        store.queue.resume()
        await until { inspections.count == 1 }
        await put(try TestImages.image(3, 3), for: "other", in: store)
        #expect(inspections.values.map(\.count) == [1, 2])
        let file = try #require(inspections.values.first?.first)
        let written = try #require(folder.read("images/" + name))
        #expect(
            (file.name, file.length, file.writtenAt) == (name, .bytes(written.count), .seconds(1_000_000))
        )
        #expect(file.owner == getuid())
        // The test's file system records when files are created; the margin is that of its clock.
        let created = try #require(file.createdAt)
        #expect((begin - .seconds(1)...begin + .seconds(300)).contains(created))
        let size = await store.diskSize()
        #expect(size.files == 2)
    }

    @Test(
        "Files that exceed the limits of age and size are removed",
        .checks("sqfetch.cache.eviction-hook")
    )
    func limits() async throws {
        let store = store {
            $0.ageLimit = .seconds(600)
            $0.sizeLimit = .bytes(1000)
            $0.countedSize = { length, _ in length }
        }
        try folder.write("old", [UInt8](repeating: 1, count: 10), at: 999_399)
        try folder.write("first", [UInt8](repeating: 1, count: 600), at: 999_500)
        try folder.write("second", [UInt8](repeating: 1, count: 499), at: 999_600)
        let cleaning = await store.clean()
        #expect((cleaning.expired, cleaning.evicted) == (1, 1))
        #expect(folder.names == ["second"])
    }

    @Test(
        "Eight tasks may use the memory level concurrently, and it observes its limit",
        .checks("sqfetch.cache.memory-unsynchronised")
    )
    func manyAtOnce() async throws {
        let memory = CostImageCache(costLimit: 100)
        let image = try TestImages.image(2, 2)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<1000 {
                        memory.store(image, for: "\(task * number % 97)")
                        _ = memory.image(for: "\(number % 97)")
                    }
                }
            }
        }
        #expect(memory.totalCost <= 100)
        #expect(memory.count == memory.totalCost / 4)
    }

}
