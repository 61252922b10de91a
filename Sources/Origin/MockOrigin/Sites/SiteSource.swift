import CLibrary
import FileReading
import FileWatching
public import LocatedYAML

/// The files that describe a site.
public struct SiteSource: Sendable {
    /// A folder whose files are served and which may contain `site.yaml`, `routes.yaml` (or `.yml`, `.json`) and more
    /// route files in `routes/`; `nil` if there is none.
    public var folder: String?
    /// Additional files, read after those of the folder.
    public var files: [String]

    /// Creates a source.
    public init(folder: String? = nil, files: [String] = []) {
        self.folder = folder
        self.files = files
    }

    /// Decodes all files; throws all problems of all files at once.
    public func load() throws(YAMLProblems) -> Site { try load(readsPipes: true) }

    /// Decodes all files; without `readsPipes`, a pipe in the place of one is a problem.
    ///
    /// Once a site is served, a pipe must not be waited for.
    func load(readsPipes: Bool) throws(YAMLProblems) -> Site {
        var site = Site(files: folder == nil ? nil : Site.standardFiles)
        let problems = ProblemCollector()
        for file in present { Self.add(file, readsPipes: readsPipes, to: &site, problems) }
        try problems.throwIfAny()
        if folder == nil { site.files = nil }
        return site
    }

    private static func add(
        _ file: String,
        readsPipes: Bool,
        to site: inout Site,
        _ problems: ProblemCollector
    ) {
        do throws(YAMLProblems) {
            guard let text = read(file, readsPipes: readsPipes, problems) else { return }
            SiteFile.add(try SiteFile.parse(text, file: file), to: &site, problems)
        } catch {
            error.problems.forEach(problems.add)
        }
    }

    /// The existing files, in the order in which they are read.
    private var present: [String] {
        guard let folder else { return files }
        let own = SiteNames.descriptions.map { folder + "/" + $0 }.filter { access($0, F_OK) == 0 }
        let routes = folder + "/" + SiteNames.routesFolder
        let more = (FileAccess.names(inFolder: routes) ?? []).filter(SiteNames.isRouteFile)
        return own + more.map { routes + "/" + $0 } + files
    }

    /// The files and their states; different if something may have changed.
    var stamps: [String: FileVersion?] {
        Dictionary(present.map { ($0, FileVersion(path: $0)) }) { $1 }
    }

    /// The folders to watch for changes of the site.
    var folders: [String] {
        let own = folder.map { [$0, $0 + "/" + SiteNames.routesFolder] } ?? []
        let others = files.map { file in
            file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        }
        return own + others
    }

    private static func read(_ path: String, readsPipes: Bool, _ problems: ProblemCollector) -> String? {
        let reason: String
        switch FileAccess.content(ofFile: path, readsPipes: readsPipes).flatMap(FileAccess.decoded) {
        case .success(let text): return text
        case .failure(let failure): reason = failure.reason
        }
        let start = Position(file: path)
        problems.add(at: start, found: "a file that cannot be read: \(reason)", expected: "a site file")
        return nil
    }
}
