public import HTTPTypes

/// Images or files that are sent in one request.
public struct Upload: Sendable {
    /// One of them.
    public struct Item: Sendable {
        /// Where the bytes are.
        public var source: MultipartBody.Source
        /// The file's name as the server is told; `nil` for one made of the field's name and the media type.
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
    /// A path below the base URL, or a complete URL, for which the base does not count.
    public var path: String
    /// Which base URL; default the configuration's.
    public var base = FetchRequest.Base.usual
    /// What is sent, in this order.
    public var items: [Item]
    /// The name of the fields, to which the item's number from 0 is added; default `images`.
    public var name = "images"
    /// What the items are: `png`, `jpg` and `jpeg` in any case, or any media type; default `jpeg`.
    public var mimeType = "jpeg"
    /// The quality at which JPEGs are encoded anew, above 0 and below 1; default 1.
    ///
    /// 1 and anything out of range sends them as they are. A PNG is always sent as it is.
    public var compressionRatio = 1.0
    /// Encodes a JPEG anew; needed for a ratio below 1.
    public var recompress: (@Sendable (_ jpeg: [UInt8], _ quality: Double) throws -> [UInt8])?
    /// What stands between the parts, 1 to 70 characters that are in none of them; `nil`, the default, for random ones.
    public var boundary: String?
    /// Parameters, sent as fields before the items.
    public var parameters: Parameters = [:]
    /// Header fields, which win over the configuration's.
    public var fields: HTTPFields = [:]
    /// What monitors and the pool tell it apart by; default nothing.
    public var tag: String?
    /// How long nothing may arrive; `nil`, the default, for the configuration's.
    public var timeout: Duration?

    /// Creates an upload.
    public init(_ path: String, _ items: [Item]) {
        self.path = path
        self.items = items
    }

    /// The upload after a change.
    public func with(_ change: (inout Upload) -> Void) -> Upload {
        var upload = self
        change(&upload)
        return upload
    }

    /// The registered media type: `image/jpg` is none, and becomes `image/jpeg`.
    var mediaType: String {
        switch mimeType.lowercased() {
        case "png", "image/png": "image/png"
        case "jpg", "jpeg", "image/jpg", "image/jpeg": "image/jpeg"
        case let other: other.contains("/") ? other : "application/octet-stream"
        }
    }

    /// The quality at which the items are encoded anew; `nil` where they are sent as they are.
    var quality: Double? {
        guard mediaType == "image/jpeg", compressionRatio > 0, compressionRatio < 1 else { return nil }
        return compressionRatio
    }

    /// The parts.
    func body() throws(FetchError) -> MultipartBody {
        var body = boundary.map { MultipartBody(boundary: $0) } ?? MultipartBody()
        let suffix = mediaType.split(separator: "/").last.map(String.init) ?? "bin"
        for (number, item) in items.enumerated() {
            var source = item.source
            if let quality { source = .bytes(try compressed(source, quality)) }
            body.parts.append(
                MultipartBody.Part(
                    name: name + String(number),
                    fileName: item.fileName ?? item.lastName ?? "\(name)\(number).\(suffix)",
                    contentType: mediaType,
                    source: source
                )
            )
        }
        return body
    }

    private func compressed(_ source: MultipartBody.Source, _ quality: Double) throws(FetchError) -> [UInt8] {
        guard let recompress else {
            throw FetchError(.badRequest, "A ratio below 1 needs something that encodes JPEGs anew.")
        }
        let bytes: [UInt8]
        switch source {
        case .bytes(let own): bytes = own
        case .file(let path): bytes = try OpenFile(reading: path).readAll()
        }
        do {
            return try recompress(bytes, quality)
        } catch {
            throw FetchError(.badRequest, "An image cannot be encoded anew: \(error)")
        }
    }
}

extension Upload.Item {
    fileprivate var lastName: String? {
        guard case .file(let path) = source else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}

extension OpenFile {
    fileprivate func readAll() throws(FetchError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try read(1 << 20)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}

/// An upload that has not ended well.
public struct UploadFailure: Error, Sendable, CustomStringConvertible {
    /// Why.
    public var error: FetchError
    /// What was to be sent and may not have arrived: all of it, because one request is taken or refused as a whole.
    public var items: [Upload.Item]

    /// The status of the answer; `nil` where none came.
    public var status: Int? { error.status }

    /// The error, with the number of items.
    public var description: String { "\(items.count) items were not uploaded. \(error)" }
}

extension FetchSession {
    /// Sends images or files as `multipart/form-data`, read while they are sent.
    ///
    /// Progress rises to 1 when everything has been handed to the connection. Throws a failure with the items.
    @discardableResult
    public func upload(
        _ upload: Upload,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(UploadFailure) -> FetchResponse {
        do throws(FetchError) {
            var body = try upload.body()
            body.onProgress = progress
            var request = FetchRequest(.post, upload.path, parameters: upload.parameters)
            request.base = upload.base
            request.fields = upload.fields
            request.timeout = upload.timeout
            request.kind = .upload
            request.tag = upload.tag
            request.body = .multipart(body)
            return try await send(request)
        } catch {
            throw UploadFailure(error: error, items: upload.items)
        }
    }
}
