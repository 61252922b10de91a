import CacheClient
import Clocks
import Fetching
import Glibc
import ImageLoading

/// Images and large transfers, by what they take of memory and time.
///
/// `image-list`: a list of 1,000 JPEGs scrolled twice. `image-disk`: look-up among 100,000 files beside 100, and cleaning
/// to half. `download` and `upload`: 1 GiB each, by their peak of memory.
enum FetchingBench {
    private static let gibibyte = 1 << 30
    private static let memoryLimit = 32 << 20

    static func run(_ options: Options) async throws -> [Figure] {
        try await Stage.withFolder { folder in
            var figures = try await list(options, folder)
            figures += try disk(folder)
            figures.append(try await download(options, folder))
            figures.append(try await upload(folder))
            return figures
        }
    }

    // MARK: A list of images

    private static func list(_ options: Options, _ folder: String) async throws -> [Figure] {
        let jpeg = try picture()
        mkdir(folder + "/site", 0o700)
        for number in 0..<1000 { try write(jpeg, to: "\(folder)/site/\(number).jpg") }
        let port = Processes.freePort()
        let program = "\(options.programs)/cachecheck"
        let server = try Processes.start(program, ["serve", folder + "/site", "--port", "\(port)"])
        defer { Processes.end(server) }
        try Processes.awaitListener(port: port)
        var profile = ImageProfile.sdWebImage
        profile.memory = .byCost(.bytes, limit: memoryLimit)
        let transport = try CurlTransport(connectionsPerHost: 6)
        let loader = try profile.loader(
            directory: folder + "/cache",
            transport: transport,
            clock: Stage.clock
        )
        let memory = PeakMemory()
        var times: [Double] = []
        var requests: [Int] = []
        for _ in 0..<2 {
            let counted = Count()
            let begin = Samples.now()
            try await scroll(loader, "http://127.0.0.1:\(port)", counted)
            times.append(Double(Samples.now() - begin) / 1e6)
            requests.append(counted.value)
            await loader.store.queue.drain()
        }
        return [
            Figure(name: "image-list-first", value: times[0], unit: "ms", note: "\(requests[0]) requests"),
            Figure(
                name: "image-list-second",
                value: Double(requests[1]),
                unit: "requests",
                goal: .atMost(0),
                note: "\(Figure.text(times[1])) ms, \(jpeg.count) bytes each"
            ),
            Figure(
                name: "image-list-memory",
                value: memory.growthMiB,
                unit: "MiB",
                against: "32 MiB of images",
                goal: .atMost(64)
            ),
        ]
    }

    /// Twelve slots show one screen after another, as a list does.
    private static func scroll(_ loader: ImageLoader, _ base: String, _ counted: Count) async throws {
        for screen in stride(from: 0, to: 1000, by: 12) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in screen..<min(screen + 12, 1000) {
                    group.addTask {
                        let request = ImageRequest(url: "\(base)/\(number).jpg")
                        for await result in loader.results(for: request) {
                            if let error = result.error { throw error }
                            if result.source == .none { counted.add() }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// A JPEG of about 20 KiB.
    private static func picture() throws -> [UInt8] {
        var state: UInt64 = 1
        let size = PixelSize(width: 160, height: 120)
        guard let blank = PixelBuffer(size: size, red: 0, green: 0, blue: 0) else {
            throw Failure(status: 70, text: "no picture")
        }
        let noise = blank.mapPixels { pixel in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for channel in 0..<3 {
                pixel[pixel.startIndex + channel] = UInt8(truncatingIfNeeded: state >> (32 + 8 * channel))
            }
        }
        return try JPEGCodec().encode(noise, quality: 0.75)
    }

    // MARK: The disk cache

    private static func disk(_ folder: String) throws -> [Figure] {
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
        let begin = Samples.now()
        let cleaning = many.clean()
        let seconds = Double(Samples.now() - begin) / 1e9
        return [
            Figure(
                name: "image-disk-lookup",
                value: values.median,
                unit: "µs",
                ratio: ratios.median,
                against: "100 entries",
                goal: .atMost(2),
                note: "100,000 entries"
            ),
            Figure(
                name: "image-disk-clean",
                value: seconds,
                unit: "s",
                goal: .atMost(5),
                note: "\(cleaning.evicted) of 100,000 removed"
            ),
        ]
    }

    private static func filled(_ directory: String, _ count: Int) throws -> DiskImageCache {
        var configuration = DiskImageCache.Configuration(directory: directory)
        configuration.countedSize = { length, _ in length }
        configuration.sizeLimit = count * 1024 - 1
        let cache = DiskImageCache(configuration, clock: Stage.clock)
        let bytes = [UInt8](repeating: 7, count: 1024)
        for number in 0..<count { try cache.write(bytes, for: key(number)) }
        return cache
    }

    private static func key(_ number: Int) -> String { "http://example.org/\(number).jpg" }

    /// Microseconds of one look-up.
    private static func lookUp(_ cache: DiskImageCache, _ count: Int) throws -> Double {
        let begin = Samples.now()
        for turn in 0..<2000 { _ = try cache.read(key(turn * 7919 % count)) }
        return Double(Samples.now() - begin) / 2000 / 1000
    }

    // MARK: Large transfers

    private static func download(_ options: Options, _ folder: String) async throws -> Figure {
        mkdir(folder + "/large", 0o700)
        try makeLargeFile(folder + "/large/file.bin")
        let port = Processes.freePort()
        let program = "\(options.programs)/cachecheck"
        let server = try Processes.start(program, ["serve", folder + "/large", "--port", "\(port)"])
        defer { Processes.end(server) }
        try Processes.awaitListener(port: port)
        let transport = try CurlTransport()
        let session = FetchSession(transport: transport, clock: Stage.clock)
        let downloads = Downloads(session, transport: transport, partialFolder: folder + "/parts")
        let memory = PeakMemory()
        let begin = Samples.now()
        let request = DownloadRequest("http://127.0.0.1:\(port)/file.bin", to: folder + "/out.bin")
        let file = try await downloads.download(request)
        guard file.size == gibibyte else { throw Failure(status: 70, text: "\(file.size) bytes came") }
        return large("download-1gib", memory, begin)
    }

    private static func upload(_ folder: String) async throws -> Figure {
        let sink = try ByteSink()
        let transport = try CurlTransport()
        let session = FetchSession(transport: transport, clock: Stage.clock)
        let memory = PeakMemory()
        let begin = Samples.now()
        let item = Upload.Item(path: folder + "/large/file.bin")
        try await session.upload(
            Upload("http://127.0.0.1:\(sink.port)/", [item]).with { $0.mimeType = "a/b" }
        )
        return large("upload-1gib", memory, begin)
    }

    private static func large(_ name: String, _ memory: PeakMemory, _ begin: Int64) -> Figure {
        let seconds = Double(Samples.now() - begin) / 1e9
        return Figure(
            name: name,
            value: memory.growthMiB,
            unit: "MiB",
            goal: .atMost(64),
            note: "peak growth; \(Int(1024 / seconds)) MiB/s"
        )
    }

    private static func makeLargeFile(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, ftruncate(descriptor, off_t(gibibyte)) == 0 else {
            throw Failure(status: 70, text: "cannot write \(path)")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(status: 70, text: "cannot write \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
