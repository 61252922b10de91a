import AnimatedImages
import ImageLoading
import Locks
import MockOrigin
import Testing
import TestSupport

@Suite("Animations through SDWebImage's profile", .timeLimit(.minutes(20)))
struct AnimatedLoadTests {
    private typealias Frame = TestAnimations.GIFFrame

    /// Returns two frames of two by two pixels.
    private static func animation(_ format: ImageFormat) throws -> [UInt8] {
        guard format == .webP else {
            return TestAnimations.gif([Frame(pixels: [1, 1, 1, 1]), Frame(pixels: [2, 2, 2, 2])])
        }
        let size = PixelSize(width: 2, height: 2)
        let frames = try [255, 0].map { red in
            try #require(PixelBuffer(size: size, red: red, green: 1, blue: 2))
        }
        return try TestAnimations.webP([(frames[0], 40), (frames[1], 60)])
    }

    private static func server(_ bytes: [UInt8], _ format: ImageFormat) throws -> MockServer {
        var answer = Answer()
        answer.body = .bytes(bytes)
        let type = format == .webP ? "image/webp" : "image/gif"
        return try MockServer.started(routes: [.get("/a", answer.field("Content-Type", type))])
    }

    private static func loader(_ profile: ImageProfile, in folder: TestFolder) throws -> ImageLoader {
        try profile.loader(
            directory: folder.path,
            transport: CurlTransport(),
            clock: SystemClock(),
            pressure: nil,
            codecs: ImageCodecs([GIFCodec(), WebPCodec()])
        )
    }

    @Test(
        "An animation is loaded with its frames, decoded when they are needed, and stored as the origin sent it",
        .checks("sdwebimage.operation.final-decode"),
        arguments: [ImageFormat.gif, .webP]
    )
    func frames(format: ImageFormat) async throws {
        let (bytes, folder) = (try Self.animation(format), try TestFolder())
        let server = try Self.server(bytes, format)
        defer { server.stop() }
        let loader = try Self.loader(.sdWebImage, in: folder)
        let request = ImageRequest(url: server.url("/a"), options: .waitForStore)
        let image = try await loader.image(for: request)
        #expect(image.header.format == format && image.header.frameCount == 2 && !image.isDecoded)
        #expect(try image.frames().map(\.pixels.size) == [image.size, image.size])
        let name = try #require(loader.store.disk?.fileName(for: request.url))
        #expect(folder.read("images/" + name) == bytes)
        loader.store.clearMemory()
        let again = try #require(await loader.store.image(for: request.url))
        #expect(again.source == .disk && again.entry.image.header.frameCount == 2)
    }

    @Test(
        "AFNetworking's profile accepts the types for which codecs are added, and no others",
        arguments: [("image/gif", true), ("image/webp", true), ("image/bmp", false)]
    )
    func acceptedTypes(type: String, isAccepted: Bool) async throws {
        var answer = Answer()
        answer.body = .bytes(try Self.animation(.gif))
        let server = try MockServer.started(routes: [.get("/a", answer.field("Content-Type", type))])
        defer { server.stop() }
        let loader = try Self.loader(.afNetworking, in: try TestFolder())
        let request = ImageRequest(url: server.url("/a"))
        if isAccepted {
            #expect(try await loader.image(for: request).header.format == .gif)
        } else {
            await #expect(throws: ImageError.unacceptableContentType(type)) {
                try await loader.image(for: request)
            }
        }
    }

    @Test(
        "An animation is transformed only with the option, a still image without it",
        .checks("sdwebimage.manager.transform-animated"),
        arguments: [(2, false, 0), (2, true, 1), (1, false, 1)]
    )
    func transforming(frameCount: Int, hasOption: Bool, calls: Int) async throws {
        let frame = Frame(pixels: [1, 1, 1, 1])
        let gif = TestAnimations.gif([Frame](repeating: frame, count: frameCount))
        let server = try Self.server(gif, .gif)
        defer { server.stop() }
        let count = Lock(0)
        var profile = ImageProfile.sdWebImage
        profile.loads.transform = { image, _ in
            count.withLock { $0 += 1 }
            return image
        }
        let loader = try Self.loader(profile, in: try TestFolder())
        let options: ImageLoadOptions = hasOption ? .transformAnimated : []
        _ = try await loader.image(for: ImageRequest(url: server.url("/a"), options: options))
        #expect(count.withLock { $0 } == calls)
    }
}
