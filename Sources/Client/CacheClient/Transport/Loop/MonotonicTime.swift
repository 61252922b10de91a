import CLibrary

/// The machine's time for libcurl and its sockets, which no virtual clock moves.
enum MonotonicTime {
    /// Returns nanoseconds of CLOCK_MONOTONIC.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
