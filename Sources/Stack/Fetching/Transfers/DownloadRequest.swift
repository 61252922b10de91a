public import CacheSemantics
public import HTTPTypes

/// A request to download a file.
public struct DownloadRequest: Sendable {
    /// A way to name a file in a folder.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Naming: Sendable, Hashable {
        /// The last component of the URL's path.
        case lastPathComponent
        /// The file name of Content-Disposition (RFC 6266), otherwise the last component of the URL's path.
        case server
    }
    /// A path relative to the base URL, or an absolute URL, for which the base URL is ignored; it identifies
    /// the download.
    public var path: String
    /// The base URL; default the configuration's.
    public var base = FetchRequest.Base.default
    /// The destination: the path of a file, or a folder, which exists or whose path ends in a slash.
    public var destination: String
    /// The way to name the file in a folder.
    public var naming = Naming.lastPathComponent
    /// Whether a failed download keeps the received part, from which the next one resumes; default true.
    public var isResumable = true
    /// Whether the download continues without its caller and in the background; default false.
    public var isDetached = false
    /// Header fields, which override the configuration's.
    public var fields: HTTPFields = [:]
    /// A label by which monitors and the pool can identify the download; default none.
    public var tag: String?
    /// The inactivity timeout, which pauses while the download is suspended; `nil`, the default, uses the
    /// configuration's.
    public var timeout: Duration?

    /// Creates a request.
    public init(_ path: String, to destination: String) {
        self.path = path
        self.destination = destination
    }

    /// Returns a copy with the change applied.
    public func with(_ change: (inout DownloadRequest) -> Void) -> DownloadRequest {
        var request = self
        change(&request)
        return request
    }
}

/// A completed download.
public struct DownloadedFile: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// The size of the file.
    public var size: ByteCount
    /// The size of the part kept from an earlier attempt; zero for none.
    public var resumedFrom: ByteCount
}

/// The failure of a download.
public struct DownloadFailure: Error, Sendable, CustomStringConvertible {
    /// The error that ended the download.
    public var error: FetchError
    /// The path of the received part; `nil` if nothing was kept.
    public var partialPath: String?

    init(_ error: FetchError, partialPath: String? = nil) {
        self.error = error
        self.partialPath = partialPath
    }

    /// The error, and the path of the received part.
    public var description: String {
        error.description + (partialPath.map { " The received part is in \($0)." } ?? "")
    }
}

/// The received part of a file.
public struct PartialDownload: Sendable, Hashable {
    /// The URL of the file.
    public var url: String
    /// The path of the part.
    public var path: String
    /// The size of what was received and verified.
    public var received: ByteCount
    /// The size of the whole file; `nil` if unknown.
    public var total: ByteCount?

    /// The received fraction; 0 if the size is unknown.
    public var ratio: Double { TransferProgress(completed: received, total: total).fraction }
}
