import FileWatching
import Locks
import OriginScript

/// Reads or creates the content of answers.
final class ContentStore: Sendable {
    /// The requested content does not exist.
    struct Missing: Error {
        enum Reason {
            /// A fixture that an answer names.
            case fixture
            /// The content that the request's path names.
            case requested
            /// A folder that the request's path names without a slash at its end.
            case folder
            /// A file that the request's path names and that cannot be opened, with the system's reason.
            case unreadable(String)
        }
        var name: String
        var reason = Reason.fixture
    }
    /// Content and the file it comes from.
    struct Loaded {
        var content: Content
        var name: String?
        var stamp: FileVersion?

        /// The file's name and state; `nil` if the content is not from a file.
        var mark: FileMark? {
            guard let name, let stamp else { return nil }
            return FileMark(name: name, stamp: stamp)
        }
    }
    /// A file of the folder in one state.
    struct FileMark: Sendable {
        var name: String
        var stamp: FileVersion
    }
    /// The size up to which files are read at once.
    static let largestInMemory = 1 << 20
    /// Folder of fixture files besides the embedded ones; `nil` is none.
    let folder: ServedFolder?
    private let digests = Lock<[FileVersion: String]>([:])

    init(folder: String?) {
        self.folder = folder.flatMap { ServedFolder(path: $0) }
    }

    /// Returns the content of an answer after `revision` changes.
    func load(_ source: BodySource, _ context: AnswerContext, revision: Int) throws(Missing) -> Loaded {
        switch source {
        case .text(let text): Loaded(content: Content(Array(text.utf8)))
        case .bytes(let bytes): Loaded(content: Content(bytes))
        case .generated(let size): Loaded(content: .pattern(size, shift: revision))
        case .template(let template): Loaded(content: text(template, context, revision))
        case .file(let name): try file(name)
        case .templateFile(let name): try templateFile(name, context, revision)
        case .folder(let name): try requested(below: name, context)
        }
    }

    /// Whether a name still refers to the same file in the same state.
    func isSame(_ mark: FileMark) -> Bool { folder?.stamp(mark.name) == mark.stamp }

    /// Returns the MD5 of content; that of a file is computed once.
    func digest(of content: Content, _ stamp: FileVersion?) -> String? {
        if let stamp, let known = digests.withLock({ $0[stamp] }) { return known }
        guard let digest = HexDigest.md5(content) else { return nil }
        if let stamp {
            digests.withLock { digests in
                // Otherwise a folder whose files keep changing would fill the memory.
                if digests.count >= 4096 { digests = [:] }
                digests[stamp] = digest
            }
        }
        return digest
    }

    private func text(_ template: Template, _ context: AnswerContext, _ revision: Int) -> Content {
        Content(Array(template.text { context.value(of: $0, revision: revision) }.utf8))
    }

    private func file(_ name: String) throws(Missing) -> Loaded {
        if let embedded = EmbeddedFixtures.bytes(named: name) {
            return Loaded(content: Content(embedded), name: name)
        }
        guard case .file(let file) = folder?.entry(name), let loaded = loaded(file, name) else {
            throw Missing(name: name)
        }
        return loaded
    }

    private func templateFile(
        _ name: String,
        _ context: AnswerContext,
        _ revision: Int
    ) throws(Missing) -> Loaded {
        let loaded = try file(name)
        guard let bytes = loaded.content.bytes(), let text = String(validating: bytes, as: UTF8.self),
            let template = Template(text)
        else { throw Missing(name: name) }
        return Loaded(content: self.text(template, context, revision), name: name, stamp: nil)
    }

    /// Whether a decoded path names a file of the folder, or a subfolder with an index.
    func hasRequested(_ path: String) -> Bool {
        guard let folder, SiteNames.isServed(path) else { return false }
        switch folder.entry(path) {
        case .file, .unreadable: return !path.hasSuffix("/")
        case .none: return false
        case .folder:
            switch folder.entry(path + "/" + SiteNames.index) {
            case .file, .unreadable: return true
            case .folder, .none: return false
            }
        }
    }

    /// Returns the file that the request's path names, or a folder's index.
    private func requested(below base: String, _ context: AnswerContext) throws(Missing) -> Loaded {
        let path = context.parameters["rest"] ?? String(context.decodedPath.drop { $0 == "/" })
        guard SiteNames.isServed(path) else { throw Missing(name: path, reason: .requested) }
        let name = base.isEmpty ? path : base + "/" + path
        switch folder?.entry(name) {
        case .file(let file) where !name.hasSuffix("/"):
            if let loaded = loaded(file, name) { return loaded }
        case .folder:
            if !context.decodedPath.hasSuffix("/") { throw Missing(name: path, reason: .folder) }
            let index = name + (name.isEmpty || name.hasSuffix("/") ? "" : "/") + SiteNames.index
            return try indexFile(index)
        case .unreadable(let reason): throw Missing(name: path, reason: .unreadable(reason))
        case .file, .some(.none), nil: break
        }
        throw Missing(name: path, reason: .requested)
    }

    private func indexFile(_ name: String) throws(Missing) -> Loaded {
        switch folder?.entry(name) {
        case .file(let file):
            if let loaded = loaded(file, name) { return loaded }
        case .unreadable(let reason): throw Missing(name: name, reason: .unreadable(reason))
        case .folder, .some(.none), nil: break
        }
        throw Missing(name: name, reason: .requested)
    }

    private func loaded(_ file: ServedFile, _ name: String) -> Loaded? {
        guard file.stamp.size <= Self.largestInMemory else {
            return Loaded(content: .file(file), name: name, stamp: file.stamp)
        }
        return file.bytes(0..<file.stamp.size).map {
            Loaded(content: Content($0), name: name, stamp: file.stamp)
        }
    }
}

/// The files of a site's folder that can be requested.
enum SiteNames {
    /// The file that is served for a folder's own path.
    static let index = "index.html"
    /// Files that describe the site, in addition to all files in the folder of route files.
    static let descriptions = ["site", "routes"].flatMap { name in
        ["yaml", "yml", "json"].map { "\(name).\($0)" }
    }
    /// The folder of additional route files.
    static let routesFolder = "routes"

    /// Whether a path below the folder is served: it is neither hidden nor a description of the site.
    static func isServed(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        if parts.count == 1, descriptions.contains(String(parts[0])) { return false }
        if parts.first.map(String.init) == routesFolder, parts.count > 1, isRouteFile(parts[1]) {
            return false
        }
        return !parts.contains { $0.hasPrefix(".") && $0 != ".well-known" }
    }

    static func isRouteFile(_ name: some StringProtocol) -> Bool {
        name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.hasSuffix(".json")
    }
}
