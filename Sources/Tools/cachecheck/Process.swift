#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a command that serves asks of its own process.
enum Process {
    /// Posted by the handler of signals.
    private nonisolated(unsafe) static let end: UnsafeMutablePointer<sem_t> = {
        // Reason: only sem_post and sem_wait touch it, which any thread may call.
        let end = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(end, 0, 0)
        return end
    }()

    /// Has Ctrl-C or a request to terminate end `waitForEnd`, once; a second one ends the process.
    ///
    /// To be called before anybody is told that the process listens: until then the default ends it.
    static func catchEnd() {
        // Initialized before the handler uses it, which may make system calls only.
        _ = end
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                sem_post(Process.end)
                signal(number, SIG_DFL)
            }
        }
    }

    /// Blocks until Ctrl-C or a request to terminate, of which `catchEnd` loses none, and calls `tidy` every other second
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

    /// Has writing beyond a limit of the size of files fail, instead of ending the program.
    static func ignoreSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

    /// A shell's usual limit is 1,024 descriptors; the server takes 4,096 connections.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
