import CLibrary
import Clocks
import Locks

/// A program that we started, in its own process group.
///
/// A small shell runs beside it and waits for the end of a pipe that only this process holds. When this process ends, in
/// any way, the shell ends the whole group and removes the program's folder and the files that libfaketime leaves behind
/// when programs are killed.
final class ChildProcess: Sendable {
    /// Descriptors that become the program's first three; `/dev/null` for those that are not given.
    struct Streams {
        var input: Int32?
        var output: Int32?
        var errors: Int32?
    }
    private struct State {
        var lifeline: Int32
        var status: Int32?
    }
    /// The time in which a program must end when asked; then it is killed.
    private static let terminationTimeout = Duration.seconds(3)
    private let pid: pid_t
    private let state: Lock<State>

    /// Starts `arguments`, of which the first is the program; `folder` is removed if this process does not end the
    /// program.
    init(_ arguments: [String], folder: String = "", streams: Streams = Streams()) throws(SubjectError) {
        let pipe = try PipeEnds()
        defer { pipe.closeReading() }
        do throws(SubjectError) {
            pid = try Self.spawn(
                ["/bin/sh", "-c", Self.watch, "sh", folder] + arguments,
                streams,
                pipe.reading
            )
        } catch {
            pipe.closeWriting()
            throw error
        }
        state = Lock(State(lifeline: pipe.writing))
    }

    deinit { end() }

    /// The end of the program, in words; `nil` while it runs.
    var ending: String? {
        state.withLock { state in
            reap(&state)
            return state.status.map(Self.words)
        }
    }

    /// Returns the end of the program, in words, waiting up to `timeout`: a program that closes its streams is about to
    /// end.
    func ending(within timeout: Duration) -> String? {
        let clock = SystemClock()
        let deadline = clock.elapsed + timeout
        while ending == nil, clock.elapsed < deadline { poll(nil, 0, 2) }
        return ending
    }

    /// Ends the program and everything that it has started; returns when all have ended.
    func end() {
        let lifeline = state.withLock { state in
            defer { state.lifeline = -1 }
            return state.lifeline
        }
        if lifeline >= 0 { close(lifeline) }
        if ending(within: Self.terminationTimeout) == nil {
            kill(-pid, SIGKILL)
            state.withLock { reap(&$0, waits: true) }
        }
    }

    private func reap(_ state: inout State, waits: Bool = false) {
        guard state.status == nil else { return }
        var status: Int32 = 0
        if waitpid(pid, &status, waits ? 0 : WNOHANG) == pid { state.status = status }
    }

    private static func words(_ status: Int32) -> String {
        let signal = status & 0x7F
        return signal == 0 ? "exited with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
    }

    /// The shell's script, whose descriptor 3 closes when this process ends.
    ///
    /// The group's number stays in use as long as the watching shell is in the group, so it
    /// cannot belong to another process.
    private static let watch = """
        folder=$1; shift
        (
            trap '' TERM INT HUP
            exec </dev/null >/dev/null 2>&1
            read -r line <&3
            kill -TERM -$$
            tries=0
            while kill -0 $$ && [ $tries -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
            [ -z "$folder" ] || rm -rf "$folder"
            for left in /dev/shm/faketime_shm_*; do
                kill -0 "${left##*_}" || rm -f "$left" "/dev/shm/sem.faketime_sem_${left##*_}"
            done
            kill -KILL -$$
        ) &
        exec 3<&-
        exec "$@"
        """

    private static func spawn(_ arguments: [String], _ streams: Streams, _ lifeline: Int32)
        throws(SubjectError)
        -> pid_t
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [streams.input, streams.output, streams.errors].enumerated() {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            }
        }
        posix_spawn_file_actions_adddup2(&actions, lifeline, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var texts = arguments.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &texts, environ)
        guard code == 0 else {
            throw SubjectError("\(arguments[0]) cannot be started: \(String(cString: strerror(code)))")
        }
        return pid
    }
}

/// The two ends of a pipe, which started programs do not inherit.
///
/// They are sockets: the call that creates a pipe cannot set this, so a program that another thread starts between two
/// calls would inherit it.
struct PipeEnds {
    let reading: Int32
    let writing: Int32

    init() throws(SubjectError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SubjectError("no pipe can be created: \(String(cString: strerror(errno)))")
        }
        (reading, writing) = (ends[0], ends[1])
    }

    func closeReading() { close(reading) }

    func closeWriting() { close(writing) }
}
