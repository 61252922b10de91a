import CacheClient
import CacheSemantics
import Clocks
import Fetching
import CLibrary

extension FetchingBench {
    private static let gibibyte = 1 << 30

    static func download(_ options: Options, _ folder: String) async throws -> Figure {
        try makeLargeFile(folder)
        let (server, port) = try serve(folder + "/large", options)
        defer { Processes.end(server) }
        let transport = try CurlTransport()
        let session = FetchSession(transport: transport, clock: SharedSubjects.clock)
        let downloads = Downloads(session, partialFolder: folder + "/parts")
        let memory = PeakMemory()
        let begin = Samples.now()
        let request = DownloadRequest("http://127.0.0.1:\(port)/file.bin", to: folder + "/out.bin")
        let file = try await downloads.download(request)
        guard file.size == .bytes(gibibyte) else {
            throw Failure(status: 70, text: "\(file.size) were received")
        }
        return large("download-1gib", memory, begin)
    }

    static func upload(_ folder: String) async throws -> Figure {
        try makeLargeFile(folder)
        let sink = try DiscardingServer()
        let transport = try CurlTransport()
        let session = FetchSession(transport: transport, clock: SharedSubjects.clock)
        let memory = PeakMemory()
        let begin = Samples.now()
        let item = Upload.Item(path: folder + "/large/file.bin")
        try await session.upload(
            Upload("http://127.0.0.1:\(sink.port)/", [item]).with { $0.mediaType = "a/b" }
        )
        guard sink.received.value >= gibibyte else {
            throw Failure(status: 70, text: "\(sink.received.value) bytes of the upload were received")
        }
        return large("upload-1gib", memory, begin)
    }

    private static func large(_ name: String, _ memory: PeakMemory, _ begin: Int64) -> Figure {
        let seconds = Double(Samples.now() - begin) / 1e9
        let note = "peak growth; \(Int(1024 / seconds)) MiB/s"
        return Figure(Measure(name, "MiB", .atMost(64)), memory.growthMiB, note: note)
    }

    private static func makeLargeFile(_ folder: String) throws {
        mkdir(folder + "/large", 0o700)
        let path = folder + "/large/file.bin"
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, ftruncate(descriptor, off_t(gibibyte)) == 0 else {
            throw Failure(status: 70, text: "cannot write \(path)")
        }
    }
}
