import CacheSemantics
import CacheStorage
import Clocks
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The folder of the second process; set in its environment only.
private let folderVariable = "CACHE_STORAGE_SECOND_PROCESS"

@Suite("Two processes on one folder")
struct SecondProcessTests {
    @Test("A process finds what another one wrote, and not what it removed or invalidated")
    func twoProcesses() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for path in ["removed", "invalidated", "replaced", "kept"] { store.put(entry(path, number: 1)) }
        store.flush()
        for path in ["removed", "invalidated", "replaced", "kept"] { #expect(store.tiers(path) == [.memory]) }
        #expect(try runSecondProcess(folder.path) == 0)
        #expect(store.tiers("removed") == [])
        #expect(store.entries(for: key("invalidated")).entries.map(\.entry.stored.isInvalidated) == [true])
        #expect(store.numbers("replaced") == ["2"])
        #expect(store.numbers("added") == ["2"])
        #expect(try store.bodies("large") == [[UInt8](repeating: 9, count: 200_000)])
        #expect(store.tiers("kept") == [.memory])
    }

    @Test("The second process's part", .enabled(if: getenv(folderVariable) != nil))
    func secondProcess() throws {
        let path = String(cString: try #require(getenv(folderVariable)))
        let store = try CacheStore(
            .init(directory: path, largestShare: 0.5),
            clock: VirtualClock(wallSeconds: 1_000_000)
        )
        #expect(store.numbers("kept") == ["1"])
        store.remove(key("removed"), VariantKey())
        store.invalidate(key("invalidated"))
        store.put(entry("replaced", number: 2))
        store.put(entry("added", number: 2))
        store.put(entry("large", size: 200_000, byte: 9))
        store.flush()
    }
}

/// Runs this test program again, with only the second process's part; returns its exit status.
private func runSecondProcess(_ folder: String) throws -> Int32 {
    var arguments = CommandLine.arguments.prefix(1) + ["--testing-library", "swift-testing"]
    arguments += ["--filter", "SecondProcessTests/secondProcess"]
    var environment = ["\(folderVariable)=\(folder)"]
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
        if let value = getenv(name) { environment.append(name + "=" + String(cString: value)) }
    }
    var process: pid_t = 0
    let code = withCStrings(Array(arguments)) { arguments in
        withCStrings(environment) { environment in
            posix_spawn(&process, "/proc/self/exe", nil, nil, arguments, environment)
        }
    }
    guard code == 0 else {
        throw StorageError(operation: "run", path: "/proc/self/exe", reason: "error \(code)")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
}

private func withCStrings<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}
