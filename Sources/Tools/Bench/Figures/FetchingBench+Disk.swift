import Clocks
import ImageLoading

extension FetchingBench {
    static func disk(_ folder: String) throws -> [Figure] {
        let few = try filled(folder + "/few", 100)
        let many = try filled(folder + "/many", 100_000)
        var ratios: [Double] = []
        var values: [Double] = []
        for _ in 0..<5 {
            let reference = try lookUp(few, 100)
            let measured = try lookUp(many, 100_000)
            ratios.append(measured / reference)
            values.append(measured)
        }
        let lookup = Figure(.imageDiskLookup, values.median, ratio: ratios.median, note: "100,000 entries")
        return [lookup, try cleaning(many)]
    }

    private static func cleaning(_ cache: DiskImageCache) throws(Failure) -> Figure {
        let begin = Samples.now()
        let cleaning = cache.clean()
        let seconds = Double(Samples.now() - begin) / 1e9
        guard (50_000...50_002).contains(cleaning.evicted), cache.size().files == cleaning.left else {
            throw Failure(status: 70, text: "\(cleaning.evicted) of 100,000 files were removed, not half")
        }
        return Figure(.imageDiskClean, seconds, note: "\(cleaning.evicted) of 100,000 removed")
    }

    private static func filled(_ directory: String, _ count: Int) throws -> DiskImageCache {
        var configuration = DiskImageCache.Configuration(directory: directory)
        configuration.countedSize = { length, _ in length }
        configuration.sizeLimit = .bytes(count * 1024 - 1)
        let cache = DiskImageCache(configuration, clock: SharedSubjects.clock)
        let bytes = [UInt8](repeating: 7, count: 1024)
        for number in 0..<count { try cache.write(bytes, for: key(number)) }
        return cache
    }

    private static func key(_ number: Int) -> String { "http://example.org/\(number).jpg" }

    /// Returns the microseconds of one look-up.
    private static func lookUp(_ cache: DiskImageCache, _ count: Int) throws -> Double {
        let begin = Samples.now()
        for turn in 0..<2000 where try cache.read(key(turn * 7919 % count)) == nil {
            throw Failure(status: 70, text: "an image that was written is not on disk")
        }
        return Double(Samples.now() - begin) / 2000 / 1000
    }
}
