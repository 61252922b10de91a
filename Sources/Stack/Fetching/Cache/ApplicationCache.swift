public import CacheClient
import CacheSemantics
public import Clocks
import HTTPTypes
import JSON
import Locks

/// A cache of responses that the application keeps for durations that it chooses, regardless of HTTP.
///
/// An entry consists of two files in one folder: the content (`.cacheData`) and its information
/// (`.cacheInfo`). Each file is written under a temporary name and then renamed. An entry whose files do not
/// match is not used.
public actor ApplicationCache {
    /// The cache that a whole program shares, used by sessions without their own cache; replaceable.
    ///
    /// It is in the folder `application-cache` of the program's caches, as `SharedStore` describes, otherwise in a folder
    /// of /tmp.
    public static let shared = SharedValue<ApplicationCache> {
        ApplicationCache(folder: SharedStore.folderOrTemporary("application-cache"), clock: SystemClock())
    }

    /// The folder of the entries.
    public nonisolated let folder: FileFolder
    /// Folders that are included when the size is measured, such as that of partial downloads.
    public nonisolated var otherFolders: [FileFolder] { others.withLock { $0 } }
    private nonisolated let others: Lock<[FileFolder]>
    private let clock: any TimeSource
    static let contentSuffix = ".cacheData"
    static let informationSuffix = ".cacheInfo"

    /// Creates a cache in a folder, which is created when something is first stored.
    public init(folder: String, measuring otherFolders: [String] = [], clock: any TimeSource) {
        self.folder = FileFolder(folder)
        others = Lock(otherFolders.map { FileFolder($0) })
        self.clock = clock
    }

    /// Includes a folder when the size is measured from now on; once, however often it is called.
    public nonisolated func measure(_ folder: FileFolder) {
        others.withLock { others in
            if !others.contains(where: { $0.path == folder.path }) { others.append(folder) }
        }
    }

    // MARK: One entry

    /// Returns an entry; removes it if it may not be used.
    public func read(_ identifier: RequestIdentifier, _ context: CacheContext) -> CacheLookup {
        do throws(FetchError) {
            guard let text = try folder.read(identifier.description + Self.informationSuffix) else {
                return .miss(.missing)
            }
            guard let json = try? JSONValue(parsing: text), let information = CacheInformation(json),
                information.identifier == identifier
            else { return clear(identifier, .damaged("its metadata cannot be read")) }
            if let problem = information.problem(at: clock.timeSinceEpoch, context) {
                return clear(identifier, problem)
            }
            guard let body = try folder.read(identifier.description + Self.contentSuffix),
                body.count == information.length.bytes, MessageDigest.md5(body) == information.digest
            else { return clear(identifier, .damaged("its content does not match its metadata")) }
            return .hit(CachedResult(information: information, body: body))
        } catch {
            return .miss(.unreadable(error.reason))
        }
    }

    /// Stores a response for `duration`; after a failure, the previous entry or none is stored.
    public func write(
        _ response: FetchResponse,
        _ identifier: RequestIdentifier,
        for duration: Duration,
        _ context: CacheContext
    ) -> Result<CacheWrite, FetchError> {
        let name = identifier.description
        let information = CacheInformation(
            identifier: identifier,
            method: response.request.method.rawValue,
            url: response.request.url,
            created: clock.timeSinceEpoch,
            duration: duration,
            applicationVersion: context.applicationVersion,
            defaults: context.defaults,
            status: response.status,
            contentType: response.response.headerFields[.contentType],
            length: .bytes(response.body.count),
            digest: MessageDigest.md5(response.body)
        )
        do throws(FetchError) {
            try folder.write(response.body, to: name + Self.contentSuffix)
            try folder.write(Array(information.json.prettyText.utf8), to: name + Self.informationSuffix)
            return .success(
                CacheWrite(path: try folder.path(of: name + Self.contentSuffix), duration: duration)
            )
        } catch {
            return .failure(error)
        }
    }

    /// Removes an entry; returns `false` if there was none.
    @discardableResult
    public func remove(_ identifier: RequestIdentifier) -> Bool {
        var wasThere = false
        for suffix in [Self.informationSuffix, Self.contentSuffix] {
            // An error is ignored: the file is no more usable than a missing one.
            if let removed = try? folder.remove(identifier.description + suffix) {
                wasThere = wasThere || removed
            }
        }
        return wasThere
    }

    private func clear(_ identifier: RequestIdentifier, _ reason: CacheLookup.MissReason) -> CacheLookup {
        remove(identifier)
        return .miss(reason)
    }

    // MARK: Many entries

    /// Returns the usable entries whose identifiers match, oldest first; removes matching entries that may
    /// not be used.
    public func read(
        where matches: @Sendable (RequestIdentifier) -> Bool,
        _ context: CacheContext
    ) throws(FetchError) -> [CachedResult] {
        var results: [CachedResult] = []
        for identifier in try identifiers() where matches(identifier) {
            if case .hit(let result) = read(identifier, context) { results.append(result) }
        }
        return results.sorted { $0.information.created < $1.information.created }
    }

    /// Removes the entries whose identifiers match; returns their number.
    @discardableResult
    public func remove(where matches: @Sendable (RequestIdentifier) -> Bool) throws(FetchError) -> Int {
        var count = 0
        for identifier in try identifiers() where matches(identifier) && remove(identifier) { count += 1 }
        return count
    }

    /// Returns the identifiers of all entries, sorted; other files in the folder are ignored.
    public func identifiers() throws(FetchError) -> [RequestIdentifier] {
        var found: Set<RequestIdentifier> = []
        for name in try folder.names() {
            for suffix in [Self.informationSuffix, Self.contentSuffix] where name.hasSuffix(suffix) {
                if let identifier = RequestIdentifier(name.dropLast(suffix.count)) {
                    found.insert(identifier)
                }
            }
        }
        return found.sorted { $0.description < $1.description }
    }

    /// Returns the size of the cache, including the other folders that are measured.
    public func size() throws(FetchError) -> CacheSize {
        var (files, total) = (0, 0)
        for folder in [folder] + otherFolders {
            for name in try folder.names() {
                guard let bytes = folder.size(of: name) else { continue }
                files += 1
                total += bytes
            }
        }
        return CacheSize(files: files, total: .bytes(total))
    }
}
