import CLibrary
import Clocks
import Locks

/// The clock of a program that runs under libfaketime: the machine's clock plus an offset that a file contains.
final class FakeTime: Sendable {
    /// The package that contains the library.
    static let package = "libfaketime"
    private let folder: ScratchFolder
    private let library: String
    private let offset = Lock(Duration.zero)

    /// Creates a clock without an offset; throws if the library is not installed.
    init() throws(SubjectError) {
        guard let library = Self.library else {
            throw SubjectError(
                "libfaketime is not installed; apt-get install -y --no-install-recommends \(Self.package) installs it"
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

    /// The words that precede a program's path so that the program uses this clock.
    ///
    /// Its monotonic clock stays the machine's: otherwise all of the program's own timers would fire when the clock
    /// moves.
    var prefix: [String] {
        [
            "/usr/bin/env", "LD_PRELOAD=\(preloaded)", "FAKETIME_TIMESTAMP_FILE=\(file)",
            "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1", "DONT_FAKE_MONOTONIC=1", "FAKETIME_DONT_RESET=1",
        ]
    }

    /// The C library's own allocator precedes others, such as jemalloc: those read the time while libfaketime, which
    /// allocates, is not ready to report it.
    private var preloaded: String {
        let folders = library.split(separator: "/").map(String.init)
        let machine = folders.first { $0.hasSuffix("-linux-gnu") } ?? ""
        let libc = "/lib/\(machine)/libc.so.6"
        return ProgramFiles.isReadable(libc) ? "\(library) \(libc)" : library
    }

    /// Moves the clock forward.
    func advance(by duration: Duration) throws(SubjectError) {
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

    /// Whether programs can be started under libfaketime.
    static var isInstalled: Bool { library != nil }

    private static var library: String? {
        let machines = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""]
        return machines.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first(
            where: ProgramFiles.isReadable
        )
    }

    private var file: String { folder.path + "/offset" }

    private func write(_ offset: Duration) throws(SubjectError) {
        // The program may read the file at any time, so it is never empty.
        try ProgramFiles.write("+\(decimal(offset.seconds, places: 3))\n", to: file + ".new")
        try ProgramFiles.rename(file + ".new", to: file)
    }
}
