import CacheClient
import Clocks
import ImageLoading
import OriginScript
import Testing

@Suite("The example of the README", .timeLimit(.minutes(1)))
struct ReadmeTests {
    @Test("Loading an image and showing one in a slot is what the README says")
    func images() async throws {
        let folder = try TestFolder()
        let origin = try ImageOrigin([.image("/a.png", Pictures.png())])
        let (cacheFolder, url, grey) = (folder.path, origin.url("/a.png"), try Pictures.image(1, 1))

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
}
