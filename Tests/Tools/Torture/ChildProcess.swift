import CLibrary
import TestSupport

/// A program that is started with a channel as its input and output, and killed when the object is released.
final class ChildProcess {
    let number: pid_t
    private let channel: Int32
    private var buffer: [UInt8] = []
    /// The status of waitpid(2); `nil` while it runs.
    private var status: Int32?

    /// Starts the program at a path.
    init(_ path: String, _ arguments: [String], _ environment: [String: String]) throws(Failure) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(text: "no sockets") }
        number = try Self.start(path, arguments, environment, channel: ends[1])
        close(ends[1])
        channel = ends[0]
    }

    deinit {
        kill()
        close(channel)
    }

    /// Whether the program still runs.
    var isRunning: Bool {
        var found: Int32 = 0
        if status == nil, waitpid(number, &found, WNOHANG) == number { status = found }
        return status == nil
    }

    /// The end of the program, in words; `nil` if it ended as intended: by exit(0), or by SIGKILL.
    var problem: String? {
        guard let status, status != SIGKILL, status != 0 else { return nil }
        return status & 0x7f == 0 ? "exit status \(status >> 8)" : "signal \(status & 0x7f)"
    }

    /// Whether the program was ended by SIGKILL.
    var wasKilled: Bool { status == SIGKILL }

    /// Kills the program.
    func kill() {
        guard isRunning else { return }
        CLibrary.kill(number, SIGKILL)
        var found: Int32 = 0
        while waitpid(number, &found, 0) < 0, errno == EINTR {}
        status = found
    }

    /// Asks the program to end; returns whether it did so in time.
    func stop(within seconds: Int) -> Bool {
        guard isRunning else { return true }
        CLibrary.kill(number, SIGTERM)
        return ends(within: seconds * 1000)
    }

    /// Waits for the program's end; returns whether that came in time.
    func ends(within milliseconds: Int) -> Bool {
        for _ in 0..<max(milliseconds / 2, 1) {
            guard isRunning else { return true }
            delay(milliseconds: 2)
        }
        return !isRunning
    }

    func send(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(channel, bytes, bytes.count)
    }

    /// Returns the next line of its output; `nil` if none arrives in time or the output has ended.
    func line(within microseconds: Int? = nil) -> String? {
        // The system treats a time of zero as unlimited.
        let time = microseconds.map { max($0, 1) } ?? 0
        var limit = timeval(tv_sec: time / 1_000_000, tv_usec: time % 1_000_000)
        setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        while true {
            if let end = buffer.firstIndex(of: 10) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = read(channel, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffer += piece[..<count]
        }
    }

    private static func start(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        channel: Int32
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, channel, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, channel, STDOUT_FILENO)
        keepDescriptors()
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = inherited + environment.map { "\($0.key)=\($0.value)" }
        var variables: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, nil, &words, &variables)
        guard code == 0 else {
            throw Failure(text: "cannot start \(path): \(String(cString: strerror(code)))")
        }
        return process
    }

    /// Marks descriptors as not inherited: a connection that programs inherit would stay open.
    private static func keepDescriptors() {
        for descriptor in TestFolder.names(in: "/proc/self/fd").compactMap({ Int32($0) })
        where descriptor > STDERR_FILENO {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    private static var inherited: [String] {
        let names: [String] = ["PATH", "LD_LIBRARY_PATH", "HOME", "SWIFT_BACKTRACE"]
        return names.compactMap { name in getenv(name).map { name + "=" + String(cString: $0) } }
    }
}

/// Lets time pass for programs under load.
func delay(milliseconds: Int) { _ = poll(nil, 0, Int32(milliseconds)) }
