import CLibrary

/// The destination of a downloaded file.
struct DownloadDestination {
    private let request: DownloadRequest
    private let url: String
    private let disposition: String?

    init(_ request: DownloadRequest, url: String, disposition: String? = nil) {
        self.request = request
        self.url = url
        self.disposition = disposition
    }

    /// Returns the path of the file; creates the folder if it is missing.
    func path() throws(FetchError) -> String {
        let destination = request.destination
        guard !destination.isEmpty else { throw FetchError(.badRequest, "A download needs a destination.") }
        guard isFolder else {
            let parts = destination.split(separator: "/", omittingEmptySubsequences: false)
            try FileFolder(parts.dropLast().joined(separator: "/")).createIfNamed()
            return destination
        }
        let folder = FileFolder(destination)
        try folder.createIfNamed()
        return try folder.path(of: name)
    }

    /// The path that other downloads may not use, before the server's file name is known.
    var reserved: String {
        isFolder ? request.destination + "/" + FileName.of(url: url) : request.destination
    }

    private var isFolder: Bool {
        var status = stat()
        return request.destination.hasSuffix("/")
            || (stat(request.destination, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    }

    private var name: String {
        if request.naming == .server, let disposition, let name = FileName.of(disposition: disposition) {
            return name
        }
        return FileName.of(url: url)
    }
}

extension FileFolder {
    fileprivate func createIfNamed() throws(FetchError) { if !path.isEmpty, path != "/" { try create() } }
}
