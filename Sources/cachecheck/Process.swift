import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a command that serves asks of its own process.
enum Process {
    /// Blocks until Ctrl-C or a request to terminate.
    static func waitForEnd() {
        let end = DispatchSemaphore(value: 0)
        let sources = [SIGINT, SIGTERM].map { number in
            // The default would end the process before the source is asked.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { end.signal() }
            source.resume()
            return source
        }
        end.wait()
        for source in sources { source.cancel() }
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
