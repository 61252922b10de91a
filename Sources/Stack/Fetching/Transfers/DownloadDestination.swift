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
        try prepare()
        return isFolder ? try FileFolder(request.destination).path(of: name) : request.destination
    }

    /// Creates the folder of the file if it is missing; throws if that fails, or if files cannot be created in it.
    func prepare() throws(FetchError) {
        guard !request.destination.isEmpty else {
            throw FetchError(.badRequest, "A download needs a destination.")
        }
        let folder = isFolder ? request.destination : folderOfFile
        try FileFolder(folder).createIfNamed()
        guard access(folder, W_OK | X_OK) == 0 else { throw FetchError(writing: folder, errno) }
    }

    private var folderOfFile: String {
        guard let slash = request.destination.lastIndex(of: "/") else { return "." }
        return slash == request.destination.startIndex ? "/" : String(request.destination[..<slash])
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
    fileprivate func createIfNamed() throws(FetchError) { if path != ".", path != "/" { try create() } }
}
