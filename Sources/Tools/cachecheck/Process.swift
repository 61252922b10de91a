import CLibrary

/// Signals and limits of the process of a command that serves.
enum Process {
    /// Posted by the signal handler.
    private nonisolated(unsafe) static let end: UnsafeMutablePointer<sem_t> = {
        // Reason: only sem_post and sem_wait touch it, which any thread may call.
        let end = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(end, 0, 0)
        return end
    }()

    /// Makes the first SIGINT, SIGTERM or SIGHUP end `waitForEnd`; a second one ends the process.
    ///
    /// Call this before announcing that the process listens; until then a signal ends it.
    static func catchEnd() {
        // Initialized before the handler uses it: a handler may only make system calls.
        _ = end
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            signal(number) { number in
                sem_post(Process.end)
                signal(number, SIG_DFL)
            }
        }
    }

    /// Whether the process was started with the signal ignored, as `nohup` does.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Blocks until such a signal, also one that arrived after `catchEnd`, and calls `tidy` every two seconds
    /// until then.
    static func waitForEnd(tidying tidy: () -> Void = {}) {
        var moment = timespec()
        while true {
            clock_gettime(CLOCK_REALTIME, &moment)
            moment.tv_sec += 2
            if sem_timedwait(end, &moment) == 0 { return }
            if errno == ETIMEDOUT { tidy() }
        }
    }

    /// Ends the process as a write into a broken pipe usually does, unless it was started with that signal ignored.
    static func endByBrokenPipe() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGPIPE)
    }

    /// Makes a write beyond the file size limit fail instead of ending the program.
    static func ignoreSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

    /// Raises the limit of descriptors to the largest permitted: the usual limit is 1,024, and the server accepts more
    /// connections.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
