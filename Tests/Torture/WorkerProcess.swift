import Glibc
import StoreModel

/// A worker that is started, asked and killed.
final class WorkerProcess {
    private let process: pid_t
    private let channel: Int32
    private var buffer: [UInt8] = []

    /// Starts a worker on a folder; `nil` where it ends before it is ready.
    init?(_ folder: String, _ environment: [String: String] = [:]) throws(Failure) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(text: "no sockets") }
        process = try Self.start(folder, environment, channel: ends[1])
        close(ends[1])
        channel = ends[0]
        guard line(within: nil) == "ready" else { return nil }
    }

    deinit {
        kill(process, SIGKILL)
        close(channel)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Has a step made; `nil` where there was no answer within so many microseconds, or none any more.
    func make(_ step: ScheduleStep, within microseconds: Int? = nil) -> StepReport? {
        send(step.description)
        return line(within: microseconds).flatMap { StepReport($0) }
    }

    /// The number of body files and the bytes that the store counts.
    func usage() -> [Int] {
        send("usage")
        return line(within: nil)?.split(separator: " ").compactMap { Int($0) } ?? []
    }

    private func send(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(channel, bytes, bytes.count)
    }

    private func line(within microseconds: Int?) -> String? {
        // Of no time at all the system would make an endless one.
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
        _ folder: String,
        _ environment: [String: String],
        channel: Int32
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, channel, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, channel, STDOUT_FILENO)
        let command: [String] = ["Torture", "worker", folder]
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var settings = inherited + environment.map { "\($0.key)=\($0.value)" }
        settings.append("TORTURE_FOLDER=\(folder)")
        var variables: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, &words, &variables)
        guard code == 0 else {
            throw Failure(text: "cannot start a worker: \(String(cString: strerror(code)))")
        }
        return process
    }

    private static var inherited: [String] {
        let names: [String] = ["PATH", "LD_LIBRARY_PATH", "HOME"]
        return names.compactMap { name in getenv(name).map { name + "=" + String(cString: $0) } }
    }
}
