import CacheClient
import CacheSemantics
import Clocks
import Fetching
import HTTPTypes

/// One transfer of an image, from the request to the decoded image.
struct ImageTransfer: Sendable {
    let kind: DownloadKind
    let request: ImageRequest
    let downloader: ImageDownloader
    let onProgress: @Sendable (ImageProgress) -> Void
    let wantsPartial: @Sendable () -> Bool
    let onPartial: @Sendable (RasterImage) -> Void

    func outcome() async throws(ImageError) -> DownloadOutcome {
        var response = try await send(authorized(kind.fields, credential?.preemptiveValue))
        if let answer = answer(to: response.response) { response = try await send(answer) }
        if response.response.status.code == 304 { return .unchanged(freshUntil: freshUntil(response)) }
        try check(response.response)
        let bytes = try await content(of: response)
        let empty = bytes.isEmpty && downloader.configuration.allowsEmptyContent
        return .image(
            DownloadedImage(
                image: empty ? nil : try image(from: bytes),
                bytes: bytes,
                response: response.response,
                source: response.source,
                freshUntil: freshUntil(response)
            )
        )
    }

    // MARK: The exchange

    private func send(_ fields: HTTPFields) async throws(ImageError) -> StreamingResponse {
        let client = downloader.clients.client(of: kind)
        var fields = fields
        if kind.handlesCookies, let cookie = downloader.cookies.field(for: kind.url) {
            fields[.cookie] = cookie
        }
        let timeout = downloader.configuration.effectiveTimeout
        let request = ClientRequest(url: kind.url, fields: fields, policy: request.policy, timeout: timeout)
        do throws(ClientError) {
            let response = try await client.stream(request)
            if kind.handlesCookies, response.source == .origin {
                downloader.cookies.store(response.response.headerFields, from: response.url)
            }
            return response
        } catch {
            throw ImageError(error)
        }
    }

    /// Returns the fields of a second request with credentials, if the response has a challenge that they
    /// match.
    private func answer(to response: HTTPResponse) -> HTTPFields? {
        guard kind.fields[.authorization] == nil,
            let value = credential?.answer(to: response, method: .get, url: kind.url)
        else { return nil }
        return authorized(kind.fields, value)
    }

    private var credential: Credential? { downloader.configuration.effectiveCredential }

    private func authorized(_ fields: HTTPFields, _ value: String?) -> HTTPFields {
        guard let value, fields[.authorization] == nil else { return fields }
        var fields = fields
        fields[.authorization] = value
        return fields
    }

    private func check(_ response: HTTPResponse) throws(ImageError) {
        let status = response.status.code
        // A 206 is acceptable only in response to a range request.
        let isWhole = (200..<300).contains(status) && (status != 206 || kind.fields.contains(.range))
        guard isWhole else {
            var error = ImageError.status(status)
            error.retryAfter = response.headerFields[.retryAfter].flatMap { Int64($0) }.map { .seconds($0) }
            throw error
        }
        guard let types = downloader.configuration.acceptableTypes else { return }
        let type = response.headerFields[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard let type, types.contains(type) else { throw .unacceptableContentType(type) }
    }

    // MARK: The content

    private func content(of response: StreamingResponse) async throws(ImageError) -> [UInt8] {
        let expected = expectedCount(response)
        let limits = downloader.codecs.limits
        try limits.check(encodedCount: expected)
        onProgress(ImageProgress(received: .zero, expected: .bytes(expected)))
        var bytes: [UInt8] = []
        var preview = ImagePreview(codecs: downloader.codecs, url: kind.url)
        do throws(ClientError) {
            for try await piece in response.body {
                bytes += piece
                onProgress(ImageProgress(received: .bytes(bytes.count), expected: .bytes(expected)))
                if bytes.count < expected, wantsPartial(), let image = preview.image(from: bytes) {
                    onPartial(image)
                }
            }
        } catch {
            throw ImageError(error)
        }
        return bytes
    }

    /// Returns the announced length; 0 if there is none, or the content is coded.
    private func expectedCount(_ response: StreamingResponse) -> Int {
        let fields = response.response.headerFields
        guard !fields.contains(.contentEncoding) else { return 0 }
        return max(0, fields[.contentLength].flatMap { Int($0) } ?? response.storedLength?.bytes ?? 0)
    }

    private func image(from bytes: [UInt8]) throws(ImageError) -> RasterImage {
        try downloader.codecs.image(
            from: bytes,
            scale: ImageScale.named(by: kind.url),
            decompresses: downloader.configuration.decompresses
        )
    }

    /// Returns the time at which the response becomes stale, since 1970-01-01T00:00:00Z; `nil` if it is unknown.
    private func freshUntil(_ response: StreamingResponse) -> Duration? {
        let now = downloader.clock.timeSinceEpoch
        if let ttl = response.cacheStatus.ttl { return now + ttl }
        let control = response.response.headerFields[values: .cacheControl].joined(separator: ",")
            .lowercased()
        return control.contains("no-cache") || control.contains("no-store") ? now : nil
    }
}

/// Decodes previews of an incomplete image.
struct ImagePreview {
    let codecs: ImageCodecs
    let url: String
    private var header: ImageHeader?
    private var isInvalid = false

    init(codecs: ImageCodecs, url: String) {
        self.codecs = codecs
        self.url = url
    }

    /// Returns the image received so far; `nil` before its header is complete.
    mutating func image(from bytes: [UInt8]) -> RasterImage? {
        guard !isInvalid else { return nil }
        if header == nil {
            do throws(ImageError) { header = try codecs.header(of: bytes) } catch { isInvalid = true }
        }
        guard let header else { return nil }
        return codecs.partialImage(from: bytes, header: header, scale: ImageScale.named(by: url))
    }
}
