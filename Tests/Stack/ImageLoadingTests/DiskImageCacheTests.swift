import CacheSemantics
import CLibrary
import Clocks
@testable import ImageLoading
import Testing
import TestSupport

@Suite("The disk cache of images")
struct DiskImageCacheTests {
    private let clock = VirtualClock(wallSeconds: 1_000_000)
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func cache(
        at path: String? = nil,
        _ change: (inout DiskImageCache.Configuration) -> Void = { _ in }
    ) -> DiskImageCache {
        var configuration = DiskImageCache.Configuration(directory: path ?? folder.path)
        configuration.countedSize = { length, _ in length }
        change(&configuration)
        return DiskImageCache(configuration, clock: clock)
    }

    /// Creates files of these sizes, oldest first.
    private func files(_ sizes: [Int]) throws {
        for (number, size) in sizes.enumerated() {
            try folder.write("f\(number)", [UInt8](repeating: 1, count: size), at: 999_900 + Double(number))
        }
    }

    @Test(
        "A file is read byte for byte as it was written, also by a new cache",
        .checks("sdwebimage.cache.store-raw-bytes")
    )
    func roundTrip() throws {
        let cache = cache()
        try cache.write([1, 2, 3], for: "http://h/a.png", freshUntil: .seconds(5))
        let found = try #require(try self.cache().read("http://h/a.png"))
        #expect(found.bytes == [1, 2, 3])
        #expect(found.freshUntil == .seconds(5))
        #expect(folder.read(cache.fileName(for: "http://h/a.png")) == [1, 2, 3])
        #expect(try cache.read("http://h/b.png") == nil)
    }

    @Test(
        "A missing folder is created, including its parents, even if it disappears during use",
        .checks("sdwebimage.cache.creates-folder")
    )
    func makesFolder() throws {
        let cache = cache(at: folder.path + "/a/b/c")
        try cache.write([1], for: "x")
        TestFolder.remove(folder.path + "/a")
        #expect(try cache.read("x") == nil)
        try cache.write([2], for: "x")
        #expect(try cache.read("x")?.bytes == [2])
    }

    @Test("Storing a key again replaces its file", .checks("sdwebimage.cache.overwrites"))
    func overwrites() throws {
        let cache = cache()
        try cache.write([1], for: "x")
        try cache.write([2, 3], for: "x")
        #expect(try cache.read("x")?.bytes == [2, 3])
        #expect(cache.size() == CacheSize(files: 1, total: .bytes(2)))
    }

    @Test("A file of the same name with another key is a miss", .checks("sdwebimage.cache.md5-unique"))
    func collision() throws {
        let cache = cache { $0.naming = FileNaming { _ in "same" } }
        try cache.write([1], for: "a")
        #expect(try cache.read("b") == nil)
        #expect(try cache.read("a")?.bytes == [1])
        try cache.write([2], for: "b")
        #expect(try cache.read("a") == nil)
    }

    @Test("The key itself is not stored on disk")
    func keepsSecrets() throws {
        try cache().write([1], for: "http://h/a.png?token=SECRET")
        #expect(!folder.names.isEmpty)
        for name in folder.names {
            #expect(!name.contains("SECRET"))
            #expect(folder.read(name).map { String(decoding: $0, as: UTF8.self).contains("SECRET") } == false)
        }
    }

    @Test("The modification time is the clock's", .checks("sdwebimage.cache.clean.age-boundary"))
    func modificationTime() throws {
        let cache = cache { $0.ageLimit = .seconds(100) }
        try cache.write([1], for: "x")
        clock.advance(by: .seconds(99))
        #expect(cache.clean().expired == 0)
        clock.advance(by: .seconds(1))
        #expect(cache.clean().expired == 1)
        #expect(try cache.read("x") == nil)
    }

    @Test(
        "A file exactly as old as the limit is removed, one second younger is kept",
        .checks("sdwebimage.cache.clean.age-boundary")
    )
    func boundary() throws {
        try folder.write("old", [1], at: 999_900)
        try folder.write("young", [1], at: 999_901)
        let cleaning = cache { $0.ageLimit = .seconds(100) }.clean()
        #expect(cleaning.expired == 1)
        #expect(folder.names == ["young"])
    }

    @Test("Files that are too old are removed first", .checks("sdwebimage.cache.clean.expired-first"))
    func expiredFirst() throws {
        try folder.write("50", [1], at: 999_950)
        try folder.write("150", [1], at: 999_850)
        _ = cache { $0.ageLimit = .seconds(100) }.clean()
        #expect(folder.names == ["50"])
    }

    @Test("Without an age limit, or with a negative one, nothing expires; with 0 everything does")
    func noAge() throws {
        try folder.write("a", [1], at: 1)
        _ = cache { $0.ageLimit = nil }.clean()
        _ = cache { $0.ageLimit = .seconds(-1) }.clean()
        #expect(folder.names == ["a"])
        _ = cache { $0.ageLimit = .seconds(0) }.clean()
        #expect(folder.names == [])
    }

    @Test(
        "Beyond the limit, the least recently written files are removed until less than half remains",
        .checks("sdwebimage.cache.clean-halves", "sdwebimage.cache.clean.oldest-first")
    )
    func halves() throws {
        try files([40, 40, 40])
        let cleaning = cache { $0.sizeLimit = .bytes(100) }.clean()
        #expect(folder.names == ["f2"])
        #expect((cleaning.evicted, cleaning.left, cleaning.leftSize) == (2, 1, .bytes(40)))
    }

    @Test("Half of the limit is still too much", .checks("sdwebimage.cache.clean.target-is-strict"))
    func strictTarget() throws {
        try files([25, 25, 25, 25, 25])
        _ = cache { $0.sizeLimit = .bytes(100) }.clean()
        #expect(folder.names == ["f4"])
    }

    @Test(
        "A total equal to the limit removes nothing, nor does a limit of 0",
        .checks("sdwebimage.cache.clean.trigger-is-strict")
    )
    func strictTrigger() throws {
        try files([50, 50])
        _ = cache { $0.sizeLimit = .bytes(100) }.clean()
        _ = cache { $0.sizeLimit = nil }.clean()
        #expect(folder.names == ["f0", "f1"])
    }

    @Test(
        "Files that are too old do not count towards the limit",
        .checks("sdwebimage.cache.clean.total-excludes-expired")
    )
    func totalOfTheRest() throws {
        try folder.write("old", [UInt8](repeating: 0, count: 80), at: 999_000)
        try folder.write("new", [UInt8](repeating: 0, count: 60), at: 999_999)
        _ = cache {
            $0.ageLimit = .seconds(100)
            $0.sizeLimit = .bytes(100)
        }.clean()
        #expect(folder.names == ["new"])
    }

    @Test("Cleaning counts the allocated size of files", .checks("sdwebimage.cache.clean.allocated-size"))
    func allocated() throws {
        try files([5000, 5000])
        var status = stat()
        stat(folder.path + "/f0", &status)
        let each = Int(status.st_blocks) * 512
        #expect(each > 5000)
        let defaults = DiskImageCache.Configuration(directory: folder.path)
        #expect(defaults.countedSize(.bytes(5000), .bytes(each)) == .bytes(each))
        _ = cache {
            $0.countedSize = defaults.countedSize
            $0.sizeLimit = .bytes(2 * each)
        }.clean()
        #expect(folder.names.count == 2)
        _ = cache {
            $0.countedSize = defaults.countedSize
            $0.sizeLimit = .bytes(2 * each - 1)
        }.clean()
        #expect(folder.names.count < 2)
    }

    @Test(
        "A file that cannot be removed still counts, and the next is tried",
        .checks("sdwebimage.cache.clean.failed-delete-ignored")
    )
    func undeletable() throws {
        try files([40, 40, 40])
        var configuration = DiskImageCache.Configuration(directory: folder.path)
        configuration.countedSize = { length, _ in length }
        configuration.sizeLimit = .bytes(100)
        let cache = DiskImageCache(configuration, clock: clock) { folder, name in
            name != "f0" && folder.remove(name)
        }
        let cleaning = cache.clean()
        #expect(folder.names == ["f0"])
        #expect((cleaning.evicted, cleaning.leftSize) == (2, .bytes(40)))
    }

    @Test(
        "Folders and hidden files are neither removed nor counted",
        .checks("sdwebimage.cache.clean.skips", "sdwebimage.cache.size", "sdwebimage.cache.size-skips-hidden")
    )
    func skips() throws {
        try files([10, 20, 30])
        folder.makeFolder("sub")
        try folder.write(".x", [1, 2, 3], at: 1)
        #expect(cache().size() == CacheSize(files: 3, total: .bytes(60)))
        _ = cache { $0.ageLimit = .seconds(0) }.clean()
        #expect(folder.names == [".x", "sub"])
    }

    @Test("With the rule for it, the least recently used files are removed first, to a preferred level")
    func leastRecentlyUsed() throws {
        let cache = cache {
            $0.sizeLimit = .bytes(30)
            $0.eviction = .leastRecentlyUsed(to: .bytes(20))
        }
        for key in ["a", "b", "c", "d"] {
            try cache.write([UInt8](repeating: 0, count: 10), for: key)
            clock.advance(by: .seconds(10))
        }
        #expect(try cache.read("a") != nil)
        #expect(cache.clean().evicted == 2)
        #expect(try cache.read("a") != nil && cache.read("d") != nil)
        #expect(try cache.read("b") == nil && cache.read("c") == nil)
    }

    @Test("A read on day 6 keeps a file beyond day 8 if eviction is by use, and not if it is by writing")
    func ageOfUse() throws {
        for order in [EvictionRule.Order.leastRecentlyUsed, .leastRecentlyWritten] {
            let clock = VirtualClock(wallSeconds: 1_000_000)
            var configuration = DiskImageCache.Configuration(directory: folder.path)
            configuration.eviction = EvictionRule(order: order, target: .belowHalf)
            let cache = DiskImageCache(configuration, clock: clock)
            try cache.write([1], for: "x")
            clock.advance(by: .seconds(6 * 86_400))
            #expect(try cache.read("x") != nil)
            clock.advance(by: .seconds(2 * 86_400))
            #expect(cache.clean().expired == (order == .leastRecentlyUsed ? 0 : 1))
            cache.removeAll()
        }
    }

    @Test("A failed write leaves the old file intact and no partial one")
    func readOnly() throws {
        let cache = cache(at: folder.path + "/file/below")
        try folder.write("file", [1])
        let error = failure { () throws(ImageError) in try cache.write([1], for: "x") }
        #expect(error?.code == 1006)
        #expect(error?.detail.contains("/file/below") == true)
        #expect(folder.names == ["file"])
    }

    @Test(
        "A full disk leaves the old file intact and no partial one",
        .enabled(if: SmallFileSystem.isAvailable)
    )
    func diskFull() throws {
        let disk = try #require(SmallFileSystem(folder.path + "/disk", kibibytes: 64))
        defer { disk.remove() }
        let cache = cache(at: disk.path)
        try cache.write([7], for: "x")
        let error = failure { () throws(ImageError) in
            try cache.write([UInt8](repeating: 1, count: 1 << 20), for: "x")
        }
        #expect(error?.detail.contains("No space left") == true)
        #expect(try cache.read("x")?.bytes == [7])
        #expect(cache.size() == CacheSize(files: 1, total: .bytes(1)))
    }

    @Test("A symbolic link in the folder is not followed")
    func links() throws {
        try folder.write("target", [9])
        let cache = cache(at: folder.path + "/c")
        try cache.write([1], for: "x")
        unlink(cache.path(for: "x"))
        symlink(folder.path + "/target", cache.path(for: "x"))
        #expect(try cache.read("x") == nil)
        try cache.write([2], for: "x")
        #expect(try cache.read("x")?.bytes == [2])
        #expect(folder.read("target") == [9])
    }

    @Test("Files of an interrupted writer are removed with everything else")
    func leftovers() throws {
        try folder.write(".part-1", [1])
        cache().removeAll()
        #expect(folder.names == [])
    }
}
