import CacheClient
import Clocks
import Fetching
import ImageLoading
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("The examples of images and downloads in docs/networking-stack.md", .timeLimit(.minutes(20)))
struct ReadmeTests {
    @Test("Loading an image and showing one in a slot works as documented")
    func images() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([.image("/a.png", TestImages.png())])
        let (cacheFolder, url, grey) = (folder.path, origin.url("/a.png"), try TestImages.image(1, 1))

        let loader = try ImageProfile.sdWebImage.loader(
            directory: cacheFolder,
            transport: CurlTransport(),
            clock: SystemClock()
        )
        let image = try await loader.image(for: .image(at: url))

        let slot = ImageSlot(loader: loader)  // a view, or a cell that is used again and again
        slot.load(url, placeholder: grey, options: [.progressive, .retryFailed])

        #expect(image.size == PixelSize(width: 8, height: 6))
        #expect(slot.image?.size == image.size)
        #expect(origin.hits() == 1)
    }

    @Test("Downloading a file and uploading two works as documented")
    func transfers() async throws {
        let origin = try ImageOrigin([.path("/*", [.image(TestImages.png())])])
        let holder = try TestFolder()
        var configuration = FetchConfiguration()
        configuration.baseURL = origin.url("")
        configuration.serializer = BytesSerializer()
        let (transport, folder) = (origin.transport, holder.path)
        let session = FetchSession(configuration, transport: transport, clock: origin.clock)
        try holder.write("video", [1, 2, 3])
        let (jpeg, video) = (try TestImages.jpeg(), folder + "/video")

        let downloads = Downloads(session, partialFolder: folder + "/parts")
        let file = try await downloads.download(DownloadRequest("universe.jpg", to: folder + "/"))
        try await session.upload(Upload("photos", [.init(jpeg), .init(path: video)]))

        #expect(try file.path == folder + "/universe.jpg" && holder.read("universe.jpg") == TestImages.png())
        #expect(origin.namespace.record().map(\.path) == ["/universe.jpg", "/photos"])
    }
}
