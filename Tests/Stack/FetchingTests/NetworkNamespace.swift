import CLibrary
import Fetching
import TestSupport

/// A network for one test: a thread in a network namespace with both ends of a virtual link.
///
/// Creating it requires root, or `unshare -rn`.
actor NetworkNamespace {
    /// Why there is no namespace.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }
    private let thread = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Moves the thread to a namespace in which every link is down.
    func enter() throws {
        guard try Self.leave(0x4000_0000) == 0 else {
            let reason = String(cString: strerror(errno))
            throw Refusal(description: "Network namespaces are not allowed here: \(reason).")
        }
        try ip("link add wire0 type veth peer name wire1")
        try ip("address add 192.0.2.1/24 dev wire0")
    }

    /// Calls `unshare`, which the C library declares only for GNU programs; 0x40000000 is CLONE_NEWNET.
    private static func leave(_ parts: CInt) throws -> CInt {
        guard let symbol = dlsym(nil, "unshare") else {
            throw Refusal(description: "The C library knows no namespaces.")
        }
        return unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)(parts)
    }

    /// Runs `ip` in the namespace.
    func ip(_ arguments: String) throws {
        let words = (["ip"] + arguments.split(separator: " ").map(String.init)).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, "ip", nil, nil, words, environ)
        guard failure == 0 else {
            throw Refusal(description: "There is no program `ip`: \(String(cString: strerror(failure))).")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Refusal(description: "`ip \(arguments)` is not possible here.") }
    }

    /// Starts a provider, which listens to the namespace.
    func start(_ network: NetlinkReachability) throws { try network.start() }
}
