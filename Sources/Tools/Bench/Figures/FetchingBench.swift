import CacheClient
import Clocks
import Fetching
import CLibrary
import ImageLoading

/// Memory and time of images and large transfers.
///
/// `image-list`: a list of 1,000 JPEGs scrolled twice. `image-disk`: look-up among 100,000 files compared with 100, and
/// cleaning to half. `download` and `upload`: the peak memory of 1 GiB each. `hammer`: 64 tasks on one pool, its
/// caches, loaders and slots.
enum FetchingBench {
    private static let memoryLimit = 32 << 20

    static func run(_ options: Options, _ report: @Sendable (Figure) -> Void) async throws {
        try await SharedSubjects.withFolder { folder in
            if options.wants("image-list") { try await list(options, folder).forEach(report) }
            if options.wants("image-disk") { try disk(folder).forEach(report) }
            if options.wants("download") { report(try await download(options, folder)) }
            if options.wants("upload") { report(try await upload(folder)) }
            if options.wants("hammer") { report(try await HammerBench.run(options, folder)) }
        }
    }

    // MARK: A list of images

    private static func list(_ options: Options, _ folder: String) async throws -> [Figure] {
        let jpeg = try picture()
        mkdir(folder + "/site", 0o700)
        for number in 0..<1000 { try write(jpeg, to: "\(folder)/site/\(number).jpg") }
        let (server, port) = try serve(folder + "/site", options)
        defer { Processes.end(server) }
        var profile = ImageProfile.sdWebImage
        profile.memory = .byCost(.bytes, limit: memoryLimit)
        let transport = CountingTransport(try CurlTransport(connectionsPerHost: 6))
        let loader = try profile.loader(
            directory: folder + "/cache",
            transport: transport,
            clock: SharedSubjects.clock
        )
        let memory = PeakMemory()
        var times: [Double] = []
        var requests: [Int] = []
        for _ in 0..<2 {
            let (begin, before) = (Samples.now(), transport.started.value)
            try await scroll(loader, "http://127.0.0.1:\(port)")
            times.append(Double(Samples.now() - begin) / 1e6)
            requests.append(transport.started.value - before)
            await loader.store.queue.drain()
        }
        let limit = memoryLimit >> 20
        let bound = "\(limit) MiB of images in memory"
        let note = "\(Figure.text(times[1])) ms, \(jpeg.count) bytes each"
        return [
            Figure(.imageListFirst, times[0], note: "\(requests[0]) requests"),
            Figure(.imageListSecond, Double(requests[1]), note: note),
            Figure(
                Measure("image-list-memory", "MiB", .atMost(Double(limit) + 32), against: bound),
                memory.growthMiB
            ),
        ]
    }

    /// Shows one screen after another in twelve slots, as a list does.
    private static func scroll(_ loader: ImageLoader, _ base: String) async throws {
        for screen in stride(from: 0, to: 1000, by: 12) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in screen..<min(screen + 12, 1000) {
                    group.addTask {
                        let request = ImageRequest(url: "\(base)/\(number).jpg")
                        for await result in loader.results(for: request) {
                            if let error = result.error { throw error }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Returns a JPEG of about 20 KiB.
    private static func picture() throws -> [UInt8] {
        var state: UInt64 = 1
        let size = PixelSize(width: 200, height: 160)
        guard let blank = PixelBuffer(size: size, red: 0, green: 0, blue: 0) else {
            throw Failure(status: 70, text: "no image")
        }
        let noise = blank.mapPixels { pixel in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for channel in 0..<3 {
                pixel[pixel.startIndex + channel] = UInt8(truncatingIfNeeded: state >> (32 + 8 * channel))
            }
        }
        return try JPEGCodec().encode(noise, quality: 0.75)
    }

    /// Serves a folder in a separate process.
    static func serve(_ folder: String, _ options: Options) throws -> (process: pid_t, port: UInt16) {
        let port = Processes.freePort()
        let program = "\(options.programs)/cachecheck"
        let server = try Processes.start(program, ["serve", folder, "--port", "\(port)"])
        try Processes.awaitListener(port: port)
        return (server, port)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(status: 70, text: "cannot write \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
