public import Clocks
import HTTPTypes
import JSON

/// Results of requests that the application keeps for a time of its own choosing, whatever HTTP says of them.
///
/// An entry is two files in one folder: the content (`.cacheData`) and what is known of it (`.cacheInfo`). Each is
/// written aside and moved to its place, and an entry whose files do not belong together is not used.
public actor ApplicationCache {
    /// The folder.
    public nonisolated let folder: FileFolder
    /// Folders that count when the size is measured, such as that of unfinished downloads.
    public nonisolated let otherFolders: [FileFolder]
    private let clock: any TimeSource
    static let contentSuffix = ".cacheData"
    static let informationSuffix = ".cacheInfo"

    /// Creates a cache on a folder, which is made when something is first stored.
    public init(folder: String, measuring otherFolders: [String] = [], clock: any TimeSource) {
        self.folder = FileFolder(folder)
        self.otherFolders = otherFolders.map { FileFolder($0) }
        self.clock = clock
    }

    // MARK: One entry

    /// Returns an entry; one that may not be used is removed.
    public func read(_ identifier: RequestIdentifier, _ context: CacheContext) -> CacheReading {
        do throws(FetchError) {
            guard let text = try folder.read(identifier.description + Self.informationSuffix) else {
                return .miss(.missing)
            }
            guard let json = try? JSONValue(parsing: text), let information = CacheInformation(json),
                information.identifier == identifier
            else { return clear(identifier, .damaged("what is known of it cannot be read")) }
            if let problem = information.problem(at: clock.wallSeconds, context) {
                return clear(identifier, problem)
            }
            guard let body = try folder.read(identifier.description + Self.contentSuffix),
                body.count == information.length, MessageDigest.md5(body) == information.digest
            else { return clear(identifier, .damaged("its content is another")) }
            return .hit(CachedResult(information: information, body: body))
        } catch {
            return .miss(.unreadable(error.reason))
        }
    }

    /// Stores a result for `duration`; a failure leaves what was stored before, or nothing.
    public func write(
        _ response: FetchResponse,
        _ identifier: RequestIdentifier,
        for duration: Duration,
        _ context: CacheContext
    ) -> Result<CacheWriting, FetchError> {
        let name = identifier.description
        let information = CacheInformation(
            identifier: identifier,
            method: response.request.method.rawValue,
            url: response.request.url,
            created: clock.wallSeconds,
            duration: duration.seconds,
            applicationVersion: context.applicationVersion,
            defaults: context.defaults,
            status: response.status,
            contentType: response.response.headerFields[.contentType],
            length: response.body.count,
            digest: MessageDigest.md5(response.body)
        )
        do throws(FetchError) {
            try folder.write(response.body, to: name + Self.contentSuffix)
            try folder.write(Array(information.json.prettyText.utf8), to: name + Self.informationSuffix)
            return .success(
                CacheWriting(path: try folder.path(of: name + Self.contentSuffix), duration: duration)
            )
        } catch {
            return .failure(error)
        }
    }

    /// Removes an entry; false where there was none.
    @discardableResult
    public func remove(_ identifier: RequestIdentifier) -> Bool {
        var wasThere = false
        for suffix in [Self.informationSuffix, Self.contentSuffix] {
            // A file that cannot be removed is as little of use as one that was not there.
            if let removed = try? folder.remove(identifier.description + suffix) {
                wasThere = wasThere || removed
            }
        }
        return wasThere
    }

    private func clear(
        _ identifier: RequestIdentifier,
        _ reason: CacheReading.MissReason
    ) -> CacheReading {
        remove(identifier)
        return .miss(reason)
    }

    // MARK: Many entries

    /// Returns the usable entries whose identifiers are meant, the oldest first; others of those are removed.
    public func read(
        where isMeant: @Sendable (RequestIdentifier) -> Bool,
        _ context: CacheContext
    ) throws(FetchError) -> [CachedResult] {
        var results: [CachedResult] = []
        for identifier in try identifiers() where isMeant(identifier) {
            if case .hit(let result) = read(identifier, context) { results.append(result) }
        }
        return results.sorted { $0.information.created < $1.information.created }
    }

    /// Removes the entries whose identifiers are meant; returns how many.
    @discardableResult
    public func remove(where isMeant: @Sendable (RequestIdentifier) -> Bool) throws(FetchError) -> Int {
        var count = 0
        for identifier in try identifiers() where isMeant(identifier) && remove(identifier) { count += 1 }
        return count
    }

    /// The identifiers of all entries, sorted; files of other names in the folder are none of the cache's.
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

    /// How much the cache takes up, with the folders that are measured besides.
    public func size() throws(FetchError) -> CacheSize {
        var size = CacheSize(files: 0, bytes: 0)
        for folder in [folder] + otherFolders {
            for name in try folder.names() {
                guard let bytes = folder.size(of: name) else { continue }
                size.files += 1
                size.bytes += bytes
            }
        }
        return size
    }
}
