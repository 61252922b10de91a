import CacheSemantics
import CacheStorage
import CLibrary
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

/// A folder for one test only, removed with it.
final class TemporaryFolder: Sendable {
    private struct Opened {
        weak var store: CacheStore?
    }
    private let folder: TestFolder
    private let opened = Lock([Opened]())

    init() throws { folder = try TestFolder() }

    deinit {
        // A store that is still writing would create a new database when its own is gone.
        for one in opened.withLock({ $0 }) { one.store?.close() }
    }

    var path: String { folder.path }

    /// Opens a store in the folder.
    func store(
        memory: Int = 4 << 20,
        disk: Int = 20 << 20,
        share: Double = 0.5,
        most: Int = 64,
        tagFields: [HTTPField.Name] = [],
        clock: any TimeSource = VirtualClock(wallSeconds: 1_000_000)
    ) throws -> CacheStore {
        var configuration = CacheStore.Configuration(
            memoryCapacity: .bytes(memory),
            diskCapacity: .bytes(disk),
            directory: path,
            largestShare: share,
            maximumVariants: most
        )
        configuration.tagFields = tagFields
        let store = try CacheStore(configuration, clock: clock)
        opened.withLock { $0.append(Opened(store: store)) }
        return store
    }

    /// Returns the names in a subfolder.
    func names(_ subfolder: String = "") -> [String] { folder.names(in: subfolder) }
}

extension HTTPField.Name {
    static let number = known("X-Number")
    static let surrogateKey = known("Surrogate-Key")
    static let cacheTag = known("Cache-Tag")

    /// Returns a name that is known to be valid.
    static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return known
    }
}

/// Returns a key of this suite's host.
func key(_ path: String) -> CacheKey {
    CacheKey(targetURI: "http://example.test/" + path)
}

/// Returns a stored response with a field that distinguishes it from others.
func response(_ path: String, variant: String = "", number: Int = 0, invalidated: Bool = false)
    -> StoredResponse
{
    StoredResponse(
        key: key(path),
        variant: VariantKey(text: variant),
        method: .get,
        selectingFields: variant.isEmpty ? [:] : [.acceptLanguage: variant],
        response: HTTPResponse(
            status: .ok,
            headerFields: [.cacheControl: "max-age=60", .eTag: "\"v1\"", .number: "\(number)"]
        ),
        requestTime: HTTPDate(secondsSinceEpoch: 999_999),
        responseTime: HTTPDate(secondsSinceEpoch: 1_000_000),
        isInvalidated: invalidated
    )
}

/// Returns an entry with a body of `size` equal bytes.
func entry(
    _ path: String,
    variant: String = "",
    number: Int = 0,
    size: Int = 1000,
    byte: UInt8 = 7,
    policy: StoragePolicy = .allowed
) -> CacheEntry {
    CacheEntry(
        stored: response(path, variant: variant, number: number),
        body: .bytes([UInt8](repeating: byte, count: size)),
        storagePolicy: policy
    )
}

extension CacheStore {
    /// Returns the tiers in which the variants of a path are found.
    func tiers(_ path: String) -> [StorageTier] { entries(for: key(path)).entries.map(\.tier) }

    /// Returns the bodies of the variants of a path.
    func bodies(_ path: String) throws -> [[UInt8]] {
        try entries(for: key(path)).entries.map { try $0.entry.body.readAll() }
    }

    /// Returns the values that distinguish the variants of a path, sorted.
    func numbers(_ path: String) -> [String] {
        entries(for: key(path)).entries.compactMap { $0.entry.stored.response.headerFields[.number] }.sorted()
    }
}

/// A repeatable random number generator (SplitMix64).
struct Steps: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Changes bytes in the middle of a file.
func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    #expect(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
    close(descriptor)
}

/// Writes a whole file.
func write(_ path: String, _ bytes: [UInt8]) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
}

/// Reads a whole file.
func contents(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    #expect(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
    return bytes
}

/// Removes a file that may be missing.
func unlinkIfThere(_ path: String) {
    #expect(unlink(path) == 0 || errno == ENOENT)
}

/// Creates one entry and counts the calls.
final class Promised: PromisedEntry {
    private let entry: CacheEntry?
    private let state = Lock((made: 0, isStored: Bool?.none))

    init(_ entry: CacheEntry?) { self.entry = entry }

    var made: Int { state.withLock { $0.made } }
    var isStored: Bool? { state.withLock { $0.isStored } }

    func make() -> CacheEntry? {
        state.withLock { $0.made += 1 }
        return entry
    }

    func keep(isStored: Bool) { state.withLock { $0.isStored = isStored } }
}
