import Clocks
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A clock of its own for a program that is started under libfaketime: the machine's, moved on by what a file says.
final class FakeTime: Sendable {
    /// The package that brings the library.
    static let package = "libfaketime"
    private let folder: ScratchFolder
    private let library: String
    private let offset = Lock(Duration.zero)

    /// Makes a clock that has not been moved; throws where the library is not installed.
    init() throws(SubjectError) {
        guard let library = Self.library else {
            throw SubjectError(
                "libfaketime is not installed; apt-get install -y --no-install-recommends \(Self.package) brings it"
            )
        }
        self.library = library
        do throws(HarnessProblem) {
            folder = try ScratchFolder(holdsPrograms: true)
        } catch {
            throw SubjectError(error.description)
        }
        // Servers that are started as root read the file as another user.
        chmod(folder.path, 0o755)
        try write(.zero)
    }

    /// What goes before a program's path, so that it goes by this clock.
    ///
    /// Its monotonic clock stays the machine's: timers of the program's own would all go off at a leap.
    var prefix: [String] {
        [
            "/usr/bin/env", "LD_PRELOAD=\(preloaded)", "FAKETIME_TIMESTAMP_FILE=\(file)",
            "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1", "DONT_FAKE_MONOTONIC=1", "FAKETIME_DONT_RESET=1",
        ]
    }

    /// The C library's own allocator goes before others, such as jemalloc: those ask for the time while libfaketime, which
    /// allocates, is not ready to report it.
    private var preloaded: String {
        let folders = library.split(separator: "/").map(String.init)
        let machine = folders.first { $0.hasSuffix("-linux-gnu") } ?? ""
        let libc = "/lib/\(machine)/libc.so.6"
        return ProgramFiles.isReadable(libc) ? "\(library) \(libc)" : library
    }

    /// Moves the clock on.
    func leap(by duration: Duration) throws(SubjectError) {
        let next = offset.withLock { offset in
            offset += duration
            return offset
        }
        try write(next)
    }

    /// Sets the clock back to the machine's.
    func reset() throws(SubjectError) {
        offset.withLock { $0 = .zero }
        try write(.zero)
    }

    /// Whether programs can be started so.
    static var isInstalled: Bool { library != nil }

    private static var library: String? {
        let machines = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""]
        return machines.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first(
            where: ProgramFiles.isReadable
        )
    }

    private var file: String { folder.path + "/offset" }

    private func write(_ offset: Duration) throws(SubjectError) {
        // The program may read at any moment, so the file is never empty.
        try ProgramFiles.write("+\(decimal(offset.seconds, places: 3))\n", to: file + ".new")
        try ProgramFiles.rename(file + ".new", to: file)
    }
}
