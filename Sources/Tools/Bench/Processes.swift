import CLibrary

/// Starting and ending of other programs.
enum Processes {
    /// Starts a program found on the PATH or by its path; its output is written to `output`, by default discarded.
    static func start(_ program: String, _ arguments: [String], output: String = "/dev/null") throws(Failure)
        -> pid_t
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // The threads of Swift's pool block signals, and a started program would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, program, &actions, &attributes, &words, environ)
        guard failure == 0 else {
            throw Failure(status: 69, text: "cannot start \(program): \(String(cString: strerror(failure)))")
        }
        return process
    }

    /// Waits for a program's end and returns its exit status; 128 plus the signal if a signal ended it.
    @discardableResult
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// Runs a program to its end.
    @discardableResult
    static func run(_ program: String, _ arguments: [String], output: String = "/dev/null") -> Int32 {
        guard let process = try? start(program, arguments, output: output) else { return 127 }
        return wait(for: process)
    }

    static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        wait(for: process)
    }

    /// Returns a loopback port that is currently unused; 0 if there is none.
    static func freePort() -> UInt16 { Loopback.freePort() ?? 0 }

    /// Returns when the port accepts connections.
    static func awaitListener(port: UInt16) throws(Failure) {
        let deadline = Samples.now() + 10_000_000_000
        while Samples.now() < deadline {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            if Loopback.connects(descriptor, to: port) { return }
            sched_yield()
        }
        throw Failure(status: 69, text: "nothing listens on port \(port) after 10 s")
    }

    /// Returns when a process has used no processor time for a tenth of a second, ten units of what is counted.
    static func awaitIdle(_ process: pid_t) throws(Failure) {
        let deadline = Samples.now() + 30_000_000_000
        var (used, since) = (-1.0, Samples.now())
        while Samples.now() < deadline {
            let current = Machine.processorMicroseconds(of: process)
            if current != used { (used, since) = (current, Samples.now()) }
            if Samples.now() - since > 100_000_000 { return }
            sched_yield()
        }
        throw Failure(status: 70, text: "process \(process) is still busy after 30 s")
    }

    /// Starts `cachecheck serve` and waits until it listens.
    static func serve(_ options: Options) throws(Failure) -> (process: pid_t, port: UInt16) {
        let port = freePort()
        let process = try start("\(options.programs)/cachecheck", ["serve", "--port", "\(port)"])
        do throws(Failure) {
            try awaitListener(port: port)
        } catch {
            end(process)
            throw error
        }
        return (process, port)
    }

    /// Raises this process's limit of descriptors to the system's maximum.
    @discardableResult
    static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
