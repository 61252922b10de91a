#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tells whether the caller is on the thread on which the main actor runs.
struct MainThread: Sendable {
    private let thread: pthread_t

    init() async { thread = await MainActor.run { pthread_self() } }

    var isCurrent: Bool { thread == pthread_self() }
}
