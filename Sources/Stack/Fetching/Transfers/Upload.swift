public import HTTPTypes

/// An upload of files or images in one request.
public struct Upload: Sendable {
    /// An uploaded item.
    public struct Item: Sendable {
        /// The source of the bytes.
        public var source: MultipartBody.Source
        /// The file name that is sent; `nil` to derive it from the field's name and the media type.
        public var fileName: String?

        /// Creates an item from bytes.
        public init(_ bytes: [UInt8], fileName: String? = nil) {
            source = .bytes(bytes)
            self.fileName = fileName
        }

        /// Creates an item from a file, which is read while it is sent.
        public init(path: String, fileName: String? = nil) {
            source = .file(path: path)
            self.fileName = fileName
        }
    }
    /// A path relative to the base URL, or an absolute URL, for which the base URL is ignored.
    public var path: String
    /// The base URL; default the configuration's.
    public var base = FetchRequest.Base.default
    /// The items, in the order in which they are sent.
    public var items: [Item]
    /// The prefix of the fields' names, followed by the item's index from 0; default `files`.
    public var name: String
    /// The media type of the items: any, or `png`, `jpg` or `jpeg` in any case; default `application/octet-stream`.
    public var mediaType: String
    /// The quality at which JPEGs are recompressed, above 0 and below 1; default 1.
    ///
    /// With 1, or a value out of range, they are sent unchanged. PNGs are always sent unchanged.
    public var compressionRatio = 1.0
    /// Recompresses a JPEG for a ratio below 1; `nil`, the default, uses the configuration's.
    public var recompress: (@Sendable (_ jpeg: [UInt8], _ quality: Double) throws -> [UInt8])?
    /// The boundary between parts, 1 to 70 characters that occur in none of them; `nil`, the default, for a
    /// random one.
    public var boundary: String?
    /// Parameters, which are sent as fields before the items.
    public var parameters: Parameters = [:]
    /// Header fields, which override the configuration's.
    public var fields: HTTPFields = [:]
    /// A label by which monitors and the pool can identify the upload; default none.
    public var tag: String?
    /// The inactivity timeout; `nil`, the default, uses the configuration's.
    public var timeout: Duration?

    /// Creates an upload of files.
    public init(
        _ path: String,
        _ items: [Item],
        name: String = "files",
        mediaType: String = "application/octet-stream"
    ) {
        (self.path, self.items) = (path, items)
        (self.name, self.mediaType) = (name, mediaType)
    }

    /// Returns an upload of JPEGs in fields that are named `images` and a number.
    public static func images(_ path: String, _ items: [Item]) -> Upload {
        Upload(path, items, name: "images", mediaType: "image/jpeg")
    }

    /// Returns a copy with the change applied.
    public func with(_ change: (inout Upload) -> Void) -> Upload {
        var upload = self
        change(&upload)
        return upload
    }

    /// The registered media type: `image/jpg` is not registered, and is replaced by `image/jpeg`.
    var registeredType: String {
        switch mediaType.lowercased() {
        case "png", "image/png": "image/png"
        case "jpg", "jpeg", "image/jpg", "image/jpeg": "image/jpeg"
        case let other: other.contains("/") ? other : "application/octet-stream"
        }
    }

    /// The quality at which the items are recompressed; `nil` if they are sent unchanged.
    var quality: Double? {
        guard registeredType == "image/jpeg", compressionRatio > 0, compressionRatio < 1 else { return nil }
        return compressionRatio
    }

    /// Returns the multipart body.
    func body(_ configuration: FetchConfiguration) throws(FetchError) -> MultipartBody {
        var body = boundary.map { MultipartBody(boundary: $0) } ?? MultipartBody()
        for (number, item) in items.enumerated() {
            var source = item.source
            if let quality {
                source = .bytes(try compressed(source, quality, recompress ?? configuration.recompress))
            }
            body.parts.append(part(of: item, source, number: number))
        }
        return body
    }

    fileprivate func request(_ body: MultipartBody) -> FetchRequest {
        var request = FetchRequest(.post, path, parameters: parameters)
        request.base = base
        request.fields = fields
        request.timeout = timeout
        request.kind = .upload
        request.tag = tag
        request.body = .multipart(body)
        return request
    }

    private func part(of item: Item, _ source: MultipartBody.Source, number: Int) -> MultipartBody.Part {
        let suffix = registeredType.split(separator: "/").last.map(String.init) ?? "bin"
        return MultipartBody.Part(
            name: name + String(number),
            fileName: item.fileName ?? item.lastName ?? "\(name)\(number).\(suffix)",
            contentType: registeredType,
            source: source
        )
    }

    private func compressed(
        _ source: MultipartBody.Source,
        _ quality: Double,
        _ recompress: (@Sendable ([UInt8], Double) throws -> [UInt8])?
    ) throws(FetchError) -> [UInt8] {
        guard let recompress else {
            throw FetchError(.badRequest, "A compression ratio below 1 requires the `recompress` function.")
        }
        let bytes = try source.readAll()
        do {
            return try recompress(bytes, quality)
        } catch {
            throw FetchError(.badRequest, "An image cannot be recompressed: \(error)")
        }
    }
}

extension MultipartBody.Source {
    fileprivate func readAll() throws(FetchError) -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .file(let path): try OpenFile(reading: path).readAll()
        }
    }
}

extension Upload.Item {
    fileprivate var lastName: String? {
        guard case .file(let path) = source else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}

/// The failure of an upload.
public struct UploadFailure: Error, Sendable, CustomStringConvertible {
    /// The error that ended the upload.
    public var error: FetchError
    /// All items: one request is accepted or rejected as a whole, so none can be assumed to have arrived.
    public var items: [Upload.Item]

    /// The status of the response; `nil` if there was none.
    public var status: Int? { error.status }

    /// The error and the number of items.
    public var description: String { "\(items.count) items were not uploaded. \(error)" }
}

extension FetchSession {
    /// Uploads images or files as `multipart/form-data`; files are read while they are sent.
    ///
    /// Progress reaches 1 when everything has been passed to the connection. Throws a failure with the items.
    @discardableResult
    public func upload(
        _ upload: Upload,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(UploadFailure) -> FetchResponse {
        do throws(FetchError) {
            var body = try upload.body(configuration)
            body.onProgress = progress
            return try await send(upload.request(body))
        } catch {
            throw UploadFailure(error: error, items: upload.items)
        }
    }
}
