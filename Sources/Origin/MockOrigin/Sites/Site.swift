import LocatedYAML
public import OriginScript

/// The content of a mock server outside namespaces, in addition to the built-in pages.
public struct Site: Sendable {
    /// Routes; the first match with the highest priority answers.
    public var routes: [Route] = []
    /// Default settings of pages, by path; a query overrides them.
    public var pages: [String: [PageSetting]] = [:]
    /// The answer for files of the fixture folder if no route matches; `nil` if files are not served.
    public var files: Answer?
    /// The source of routes that were read from files or a control API, by label.
    var written: [String: YAMLNode] = [:]

    /// Creates a site; by default an empty one.
    public init(routes: [Route] = [], pages: [String: [PageSetting]] = [:], files: Answer? = nil) {
        self.routes = routes
        self.pages = pages
        self.files = files
    }

    /// The default answer for files: validators from the file, ranges, gzip and a type by the name's
    /// extension.
    public static var standardFiles: Answer {
        var answer = Answer()
        answer.body = .folder("")
        answer.entityTag = .md5
        answer.lastModified = .file
        answer.ranges = .offered
        answer.gzip = .offered
        answer.typesByName = true
        return answer
    }
}
