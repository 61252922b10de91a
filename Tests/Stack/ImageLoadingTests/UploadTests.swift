import CacheClient
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// A part as received by the origin.
private struct ReceivedPart {
    var head: String
    var content: [UInt8]

    var name: String { value(of: "name") }
    var type: String { head.split(separator: "Content-Type: ").dropFirst().first.map(String.init) ?? "" }

    private func value(of parameter: String) -> String {
        let rest = head.split(separator: "; \(parameter)=\"").dropFirst().first ?? ""
        return String(rest.prefix { $0 != "\"" })
    }
}

@Suite("Uploads of images", .timeLimit(.minutes(20)))
struct UploadTests {
    private func session(_ origin: ImageOrigin, _ base: String = "") -> FetchSession {
        var configuration = FetchConfiguration()
        configuration.baseURL = base.isEmpty ? origin.url("") : base
        configuration.callbacks = .anywhere
        return FetchSession(configuration, transport: origin.transport, clock: origin.clock)
    }

    private func parts(_ origin: ImageOrigin, _ number: Int = 0) throws -> [ReceivedPart] {
        let exchange = origin.namespace.record()[number]
        let type = try #require(origin.fields(number, "content-type").first)
        let boundary = "--" + (type.split(separator: "boundary=").last ?? "")
        var rest = exchange.body[...]
        var parts: [ReceivedPart] = []
        let (mark, gap) = (Array(boundary.utf8), Array("\r\n\r\n".utf8))
        while let start = rest.place(of: mark), let headEnd = rest[(start + mark.count)...].place(of: gap),
            let end = rest[headEnd...].place(of: Array("\r\n".utf8) + mark)
        {
            let head = String(decoding: rest[(start + mark.count + 2)..<headEnd], as: UTF8.self)
            parts.append(ReceivedPart(head: head, content: Array(rest[(headEnd + 4)..<end])))
            rest = rest[(end + 2)...]
        }
        return parts
    }

    @Test(
        "One image is one part with its bytes unchanged, several are several parts of one request",
        .checks(
            "sjnetwork.upload.single",
            "sjnetwork.upload.multiple",
            "sjnetwork.upload.default-ratio",
            "sjnetwork.upload.field-name"
        ),
        arguments: [1, 2]
    )
    func parts(count: Int) async throws {
        let origin = try ImageOrigin([.path("/*", [.status(200)])])
        let images = try (0..<count).map { try TestImages.jpeg(8, 8, red: UInt8(10 * $0)) }
        let upload = Upload.images("up", images.map { Upload.Item($0) })
        #expect(upload.compressionRatio == 1)
        try await session(origin).upload(upload)
        let record = origin.namespace.record()
        #expect(record.map(\.method) == ["POST"])
        #expect(record[0].path == "/up")
        let received = try parts(origin)
        #expect(received.map(\.content) == images)
        #expect(received.map(\.name) == (0..<count).map { "images\($0)" })
    }

    @Test("A ratio below 1 is the quality at which a JPEG is recompressed", .checks("sjnetwork.upload.ratio"))
    func ratio() async throws {
        let origin = try ImageOrigin([.path("/*", [.status(200)])])
        let jpeg = try JPEGCodec().encode(TestImages.noise(64, 64), quality: 1)
        let qualities = Heard<Double>()
        for (number, ratio) in [1, 0.5, 0.1, 0, -1, 7, .nan].enumerated() {
            let upload = Upload.images("up", [Upload.Item(jpeg)]).with {
                $0.compressionRatio = ratio
                $0.recompress = { bytes, quality in
                    qualities.add(quality)
                    return try JPEGCodec.recompress(bytes, quality: quality)
                }
            }
            try await session(origin).upload(upload)
            let sent = try #require(try parts(origin, number).first?.content)
            if ratio == 0.5 || ratio == 0.1 {
                #expect(sent.count < jpeg.count && ImageFormat(sniffing: sent) == .jpeg)
            } else {
                #expect(sent == jpeg)
            }
        }
        #expect(qualities.values == [0.5, 0.1])
    }

    @Test(
        "A PNG is sent unchanged whatever the ratio",
        .checks("sjnetwork.upload.png-ignores-ratio"),
        arguments: ["png", "PNG"]
    )
    func png(type: String) async throws {
        let origin = try ImageOrigin([.path("/*", [.status(200)])])
        let item = try Upload.Item(try TestImages.image(9, 9), as: .png)
        for ratio in [0.1, 1] {
            let upload = Upload.images("up", [item]).with {
                $0.mediaType = type
                $0.compressionRatio = ratio
                $0.recompress = JPEGCodec.recompress
            }
            try await session(origin).upload(upload)
        }
        let bytes = try PNGCodec().encode(TestImages.pixels(9, 9), quality: 1)
        #expect(try parts(origin, 0).map(\.content) == [bytes])
        #expect(try parts(origin, 1).map(\.content) == [bytes])
    }

    @Test(
        "The media type is image/png or image/jpeg, whatever the case and form in which it is given",
        .checks("sjnetwork.upload.mime-types"),
        arguments: [
            ("jpg", "image/jpeg"), ("JPG", "image/jpeg"), ("jpeg", "image/jpeg"), ("JPEG", "image/jpeg"),
            ("png", "image/png"), ("PNG", "image/png"), ("image/jpg", "image/jpeg"),
            ("video/mp4", "video/mp4"),
            ("what", "application/octet-stream"),
        ]
    )
    func mediaTypes(given: String, expected: String) async throws {
        let origin = try ImageOrigin([.path("/*", [.status(200)])])
        let upload = Upload.images("up", [Upload.Item([1, 2, 3])]).with { $0.mediaType = given }
        try await session(origin).upload(upload)
        #expect(try parts(origin).map(\.type) == [expected])
    }

    @Test(
        "Progress rises to 1, for memory and for a file that is read while it is sent",
        .checks("sjnetwork.upload.progress")
    )
    func progress() async throws {
        let folder = try TestFolder()
        let content = [UInt8](repeating: 7, count: 700_000)
        try folder.write("big.bin", content)
        for item in [Upload.Item(content), Upload.Item(path: folder.path + "/big.bin")] {
            let origin = try ImageOrigin([.path("/*", [.status(200)])])
            let heard = Heard<Double>()
            try await session(origin).upload(Upload.images("up", [item])) { heard.add($0.fraction) }
            #expect(heard.values == heard.values.sorted())
            #expect(heard.values.first == 0 && heard.values.last == 1 && heard.count > 5)
            #expect(try parts(origin).map(\.content) == [content])
        }
    }

    @Test(
        "A failure has the status and the images that failed",
        .checks("sjnetwork.upload.failure-lists-images")
    )
    func failure() async throws {
        let origin = try ImageOrigin([.path("/*", [.status(500)])])
        let items = [Upload.Item([1], fileName: "one"), Upload.Item([2], fileName: "two")]
        do throws(UploadFailure) {
            try await session(origin).upload(Upload.images("up", items))
            Issue.record("It should have failed.")
        } catch {
            #expect(error.status == 500)
            #expect(error.items.map(\.fileName) == ["one", "two"])
        }
    }

    @Test("A file that cannot be read is a failure with the items, and nothing is sent")
    func unreadable() async throws {
        let origin = try ImageOrigin([.path("/*", [.status(200)])])
        await #expect(throws: UploadFailure.self) {
            try await session(origin).upload(Upload.images("up", [Upload.Item(path: "/nonexistent/file")]))
        }
        #expect(origin.hits() == 0)
    }

    @Test(
        "A complete URL is used without the base, and a base for one request changes no other",
        .checks("sjnetwork.upload.ignore-base-url", "sjnetwork.upload.base-url-switch")
    )
    func bases() async throws {
        let (a, b) = (
            try ImageOrigin([.path("/*", [.status(200)])]), try ImageOrigin([.path("/*", [.status(200)])])
        )
        let session = session(a)
        try await session.upload(Upload.images(b.url("/full"), [Upload.Item([1])]))
        try await session.upload(Upload.images("up", [Upload.Item([1])]).with { $0.base = .url(b.url("")) })
        _ = try await session.get("get")
        #expect(b.namespace.record().map(\.path) == ["/full", "/up"])
        #expect(a.namespace.record().map(\.path) == ["/get"])
    }
}

extension ArraySlice<UInt8> {
    fileprivate func place(of mark: [UInt8]) -> Int? {
        guard count >= mark.count else { return nil }
        return (startIndex...(endIndex - mark.count)).first { self[$0..<$0 + mark.count].elementsEqual(mark) }
    }
}
