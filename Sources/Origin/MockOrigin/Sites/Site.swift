import LocatedYAML
public import OriginScript

/// The content of a mock server outside namespaces, besides the built-in pages.
public struct Site: Sendable {
    /// Routes; the first that matches answers, of the highest priority first.
    public var routes: [Route] = []
    /// Settings that a page answers with unless the query says otherwise, by path.
    public var pages: [String: [PageSetting]] = [:]
    /// How files of the fixture folder are served where no route matches; `nil` is not at all.
    public var files: Answer?
    /// How the routes that were read from files or a control API are written, by label.
    var written: [String: YAMLNode] = [:]

    /// Creates a site; by default an empty one.
    public init(routes: [Route] = [], pages: [String: [PageSetting]] = [:], files: Answer? = nil) {
        self.routes = routes
        self.pages = pages
        self.files = files
    }

    /// The answer with which files are served unless a site file says otherwise: validators from the file, ranges,
    /// gzip and a type by the name's extension.
    public static var standardFiles: Answer {
        var answer = Answer()
        answer.body = .folder("")
        answer.entityTag = .md5
        answer.lastModified = .file
        answer.ranges = .offered
        answer.gzip = .negotiated
        answer.typesByName = true
        return answer
    }
}
