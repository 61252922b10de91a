import CacheSemantics
import CacheStorage
import CLibrary
import Clocks
import Explanation
import HTTPTypes
import LocatedYAML

/// Explaining entries of a cache directory.
extension ExplainCommand {
    /// Explains the entry that a cache directory has for a URL, or for an equivalent one.
    func stored(in folder: String, _ target: String) throws(YAMLProblems) -> ExchangeExplanation {
        var request = asked(for: nil)
        if let nextRequest {
            request.headerFields = try next(nextRequest, "http").headerFields + request.headerFields
        }
        if let (scheme, authority, path) = RawHead.absolute(target) {
            (request.scheme, request.authority, request.path) = (scheme, authority, path)
        }
        let clock = SystemClock()
        let seconds = (after ?? .zero).components.seconds
        return ExchangeExplanation(
            request,
            among: try entries(in: folder, of: request, engine, clock),
            engine: engine,
            policy: policy,
            now: HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds)).advanced(by: seconds)
        )
    }

    private func entries(
        in folder: String,
        of request: HTTPRequest,
        _ engine: CacheEngine,
        _ clock: SystemClock
    ) throws(YAMLProblems) -> [StoredResponse] {
        try Self.requireCache(folder)
        let store: CacheStore
        do throws(StorageError) {
            store = try CacheStore(CacheStore.Configuration(directory: folder), clock: clock)
        } catch {
            throw Self.problem(folder, "\(error)")
        }
        defer { store.close() }
        return Self.entries(store, of: request, engine)
    }

    private static func requireCache(_ folder: String) throws(YAMLProblems) {
        // Opening a store creates missing files, which a command that only reads must not.
        guard isFolder(folder) else { throw problem(folder, "no folder") }
        guard CacheStore.exists(in: folder) else { throw problem(folder, "a folder without a cache") }
        // Even to read, a store joins the other users of its folder, and removes what they have left behind.
        guard access(folder, W_OK) == 0 else {
            let copy = "cp -r \(ShellWord.quoted(folder)) /tmp/cache"
            let obstacle = "a folder that cannot be written, as a cache must be"
            throw problem(folder, "\(obstacle); explain a copy: \(copy)")
        }
    }

    /// Returns the responses of a request and those that answer it by another key; without any, those of it spelled otherwise.
    private static func entries(
        _ store: CacheStore,
        of request: HTTPRequest,
        _ engine: CacheEngine
    ) -> [StoredResponse] {
        let key = engine.key(for: request)
        let own = stored(store, key)
        let equivalent = store.searchable.filter { $0.key != key && $0.answers(key, by: engine) }
        guard own.isEmpty, equivalent.isEmpty else { return own + equivalent }
        for like in request.spelledOtherwise {
            let found = stored(store, engine.key(for: like))
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Returns the responses of a key; reports damaged ones, which are therefore no longer stored.
    private static func stored(_ store: CacheStore, _ key: CacheKey) -> [StoredResponse] {
        let found = store.entries(for: key)
        for damage in found.damage { printError("cachecheck explain: storage: \(damage)") }
        return found.entries.map(\.entry.stored)
    }

    private static func problem(_ folder: String, _ found: String) -> YAMLProblems {
        let start = Position(file: folder)
        return YAMLProblems(at: start, found: found, expected: "a cache directory")
    }
}

extension HTTPRequest {
    /// The request, then requests for URLs that are easily mistaken for its own.
    fileprivate var spelledOtherwise: [HTTPRequest] {
        let path = path ?? "/"
        let bare = String(path.prefix { $0 != "?" })
        let slashed = bare.hasSuffix("/") ? String(bare.dropLast()) : bare + "/"
        let schemes = [scheme ?? "http", scheme == "https" ? "http" : "https"]
        return schemes.flatMap { scheme in
            [path, bare, slashed].map { path in
                var copy = self
                (copy.scheme, copy.path) = (scheme, path)
                return copy
            }
        }
    }
}
