public import CacheStorage
import CLibrary
import Clocks
import Locks

/// An HTTP cache that a whole program shares, opened when it is first used and replaceable at any time.
///
/// It is in a separate folder in the program's folder below `$XDG_CACHE_HOME`, or below `~/.cache`. If there is no such
/// folder, or it cannot be opened, the cache is in memory only. Clients and sessions continue with the store with which they
/// were created; only `CachingClient.shared`, like NSURLSession's shared session, changes to the new one.
public final class SharedStore: Sendable {
    /// The shared URL cache, with NSURLCache's sizes: 4 MiB in memory over 20 MiB on disk.
    ///
    /// `CachingClient.shared`, sessions without their own store, and image loaders use it.
    public static let urlCache = SharedStore("http-cache", memory: .mebibytes(4), disk: .mebibytes(20))
    /// The cache of the documents' CustomURLCache: 2 MiB in memory over 100 MiB on disk, and its own expiry of 600 s.
    public static let customURLCache = SharedStore(
        "custom-url-cache",
        memory: .mebibytes(2),
        disk: .mebibytes(100),
        expirationInterval: .seconds(600)
    )
    /// The cache of AFNetworking's image downloader: 20 MiB in memory over 150 MiB on disk.
    public static let imageDownloads = SharedStore(
        "image-downloads",
        memory: .mebibytes(20),
        disk: .mebibytes(150)
    )

    private let interval: Lock<Duration?>
    private let opened: SharedValue<(any ResponseStore)?>
    /// Opens a store like the one that is shared until another is set, in the same folder.
    let openUsual: @Sendable () -> CacheStore?

    /// Creates a shared store that is opened in the folder `name` of the program's folder; `caches` is the folder of all
    /// programs' caches, `nil` for memory only.
    init(
        _ name: String,
        memory: ByteCount,
        disk: ByteCount,
        expirationInterval: Duration? = nil,
        caches: String? = SharedStore.usualCaches
    ) {
        interval = Lock(expirationInterval)
        let folder = Self.folder(name, caches: caches)
        let usual = { @Sendable in Self.open(folder, memory: memory, disk: disk) }
        openUsual = usual
        opened = SharedValue { usual() }
    }

    /// Returns the path of a folder in the program's folder; `nil` if there is no folder of all programs' caches.
    package static func folder(_ name: String, caches: String? = SharedStore.usualCaches) -> String? {
        let program = CommandLine.arguments.first?.split(separator: "/").last
        return caches.flatMap { caches in program.map { "\(caches)/\($0)/\(name)" } }
    }

    /// Returns the path of a folder in the program's folder, otherwise of a folder in /tmp that is named after the user.
    package static func folderOrTemporary(_ name: String) -> String {
        folder(name) ?? "/tmp/\(name)-\(getuid())"
    }

    /// The store; `nil` if not even one in memory could be opened.
    ///
    /// Another can be set, which new clients and sessions use, and `CachingClient.shared` from its next use on.
    public var store: (any ResponseStore)? {
        get { opened.value }
        set { opened.value = newValue }
    }

    /// The expiry of the shared cache itself, which clients, sessions and image loaders over it apply; `nil` if entries
    /// do not expire.
    ///
    /// Another can be set, with the same effect on clients as another store.
    public var expirationInterval: Duration? {
        get { interval.withLock { $0 } }
        set { interval.withLock { $0 = newValue } }
    }

    private static func open(_ folder: String?, memory: ByteCount, disk: ByteCount) -> CacheStore? {
        for directory in folder == nil ? [nil] : [folder, nil] {
            let configuration = CacheStore.Configuration(
                memoryCapacity: memory,
                diskCapacity: disk,
                directory: directory
            )
            do throws(StorageError) {
                return try CacheStore(configuration, clock: SystemClock())
            } catch {
                // The documentation promises the next best.
            }
        }
        return nil
    }

    package static var usualCaches: String? {
        absolutePath("XDG_CACHE_HOME") ?? absolutePath("HOME").map { $0 + "/.cache" }
    }

    private static func absolutePath(_ variable: String) -> String? {
        guard let value = getenv(variable) else { return nil }
        let path = String(cString: value)
        return path.hasPrefix("/") ? path : nil
    }
}
