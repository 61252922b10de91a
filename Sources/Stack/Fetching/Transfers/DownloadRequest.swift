public import HTTPTypes

/// One file that is to be downloaded.
public struct DownloadRequest: Sendable {
    /// Which name a file gets in a folder.
    public enum Naming: Sendable, Hashable {
        /// The last part of the URL's path.
        case lastPathComponent
        /// The name that the server gives in Content-Disposition (RFC 6266), else the last part of the URL's path.
        case server
    }
    /// A path below the base URL, or a complete URL, for which the base does not count; by it the download is addressed.
    public var path: String
    /// Which base URL; default the configuration's.
    public var base = FetchRequest.Base.usual
    /// Where the file is to be: a path, or a folder, which exists or whose path ends in a slash.
    public var destination: String
    /// Which name it gets in a folder.
    public var naming = Naming.lastPathComponent
    /// Whether what has come is kept when the download fails, and the next one goes on from there; default true.
    public var isResumable = true
    /// Whether it goes on without its caller, and in the background; default false.
    public var isDetached = false
    /// Header fields, which win over the configuration's.
    public var fields: HTTPFields = [:]
    /// What monitors and the pool tell it apart by; default nothing.
    public var tag: String?
    /// How long nothing may arrive, not counted while it is suspended; `nil`, the default, for the configuration's.
    public var timeout: Duration?

    /// Creates a request.
    public init(_ path: String, to destination: String) {
        self.path = path
        self.destination = destination
    }

    /// The request after a change.
    public func with(_ change: (inout DownloadRequest) -> Void) -> DownloadRequest {
        var request = self
        change(&request)
        return request
    }
}

/// A download that has ended well.
public struct DownloadedFile: Sendable, Hashable {
    /// Where the file is.
    public var path: String
    /// Its bytes.
    public var size: Int
    /// How many of them had been kept from an earlier try.
    public var resumedFrom: Int
}

/// A download that has not.
public struct DownloadFailure: Error, Sendable, CustomStringConvertible {
    /// Why.
    public var error: FetchError
    /// Where the part is that has come; `nil` where nothing was kept.
    public var partialPath: String?

    init(_ error: FetchError, partialPath: String? = nil) {
        self.error = error
        self.partialPath = partialPath
    }

    /// The error, and where the part is.
    public var description: String {
        error.description + (partialPath.map { " What has come is in \($0)." } ?? "")
    }
}

/// What is known of a part of a file.
public struct PartialDownload: Sendable, Hashable {
    /// The URL it is of.
    public var url: String
    /// The file it is in.
    public var path: String
    /// Bytes that have come and are known to be right.
    public var received: Int
    /// Bytes in all; `nil` where that is not known.
    public var total: Int?

    /// The share that has come; 0 where the whole is not known.
    public var ratio: Double { TransferProgress(completed: received, total: total).fraction }
}
