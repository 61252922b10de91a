public import CacheClient
import CLibrary
import Cnetlink
import Locks
import Threads

/// The reachability of the network according to links and default routes that the Linux kernel reports.
///
/// Changes are reported immediately. Nothing is sent over the network. A thread reads the kernel's messages
/// from `start()` until the last reference is released.
public final class NetlinkReachability: ReachabilityProvider {
    /// The provider that a whole program shares: the kernel's reports, from its first use on, unless it is replaced.
    public static let shared = SharedValue<any ReachabilityProvider> {
        let network = NetlinkReachability()
        network.startObserving()
        return network
    }

    private let publisher = StatusPublisher(.unknown)
    private let listener = Lock<RouteListener?>(nil)

    /// Creates a provider that has not started, with the status `unknown`.
    public init() {}

    deinit { listener.withLock { $0 }?.stop() }

    /// The status last reported by the kernel; `unknown` before the first report.
    public var status: NetworkStatus { publisher.status }

    /// Starts to listen, once; throws if the kernel denies it.
    public func start() throws(FetchError) {
        let listener = try self.listener.withLock { listener throws(FetchError) -> RouteListener? in
            guard listener == nil else { return nil }
            let new = try RouteListener(publisher)
            listener = new
            return new
        }
        listener?.start()
    }

    /// Starts to listen, once; if the kernel denies it, the status stays `unknown`, with which requests are sent.
    public func startObserving() {
        do throws(FetchError) {
            try start()
        } catch {
            // The documentation names this case.
        }
    }

    /// Calls `listener` at every change, on the listening thread, so it must not block.
    public func observe(_ listener: @escaping @Sendable (NetworkStatus) -> Void) -> ReachabilityObservation {
        publisher.observe(listener)
    }

    /// Returns the kind of a link according to the kernel's files below /sys.
    static func kind(of name: String) -> NetworkStatus {
        guard !name.isEmpty, !name.contains("/"), name != "..",
            let text = try? FileFolder("/sys/class/net/" + name).read("uevent")
        else { return .reachable }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        if lines.contains("DEVTYPE=wlan") { return .wifi }
        if lines.contains("DEVTYPE=wwan") { return .cellular }
        return .wired
    }
}

/// The netlink socket and the thread that reads it.
final class RouteListener: Sendable {
    private let socket: Int32
    private let stopSignal: StopSignal
    private let publisher: StatusPublisher

    init(_ publisher: StatusPublisher) throws(FetchError) {
        self.publisher = publisher
        socket = Self.openSocket()
        guard socket >= 0 else { throw FetchError(reading: "netlink", errno) }
        guard let signal = StopSignal() else {
            close(socket)
            throw FetchError(reading: "netlink", EMFILE)
        }
        stopSignal = signal
    }

    deinit { close(socket) }

    func start() { SystemThread.start { self.run() }?.detach() }

    func stop() { stopSignal.signal() }

    /// Requests all links, then all routes, and reads messages until it is stopped.
    ///
    /// The status is published when the first lists are complete, and then at every change.
    private func run() {
        var table = RouteTable()
        var lists = [RTM_GETLINK, RTM_GETROUTE]
        var isComplete = false
        ask(for: lists.removeFirst())
        while let messages = receive() {
            for message in messages {
                table.apply(message)
                switch message {
                case .done where lists.isEmpty: isComplete = true
                case .done: ask(for: lists.removeFirst())
                case .failed:
                    // Messages were lost: request everything again.
                    (table, lists, isComplete) = (RouteTable(), [RTM_GETROUTE], false)
                    ask(for: RTM_GETLINK)
                default: break
                }
            }
            if isComplete { publisher.set(table.status(kind: NetlinkReachability.kind)) }
        }
    }

    /// Returns the messages of the next datagram; `nil` when listening has ended.
    private func receive() -> [RouteMessage]? {
        guard stopSignal.wait(for: socket, POLLIN) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0 { return errno == ENOBUFS ? [.failed(code: ENOBUFS)] : errno == EINTR ? [] : nil }
        return RouteMessage.messages(in: Array(buffer[..<count]))
    }

    private func ask(for kind: Int) {
        let length = MemoryLayout<nlmsghdr>.size + MemoryLayout<rtgenmsg>.size
        var header = nlmsghdr()
        header.nlmsg_len = UInt32(length)
        header.nlmsg_type = UInt16(kind)
        header.nlmsg_flags = UInt16(NLM_F_REQUEST | NLM_F_ROOT | NLM_F_MATCH)
        header.nlmsg_seq = 1
        let bytes = withUnsafeBytes(of: header) { Array($0) } + [UInt8(AF_UNSPEC)]
        _ = send(socket, bytes, bytes.count, 0)
    }

    private static func openSocket() -> Int32 {
        let descriptor = CLibrary.socket(
            AF_NETLINK,
            Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            NETLINK_ROUTE
        )
        guard descriptor >= 0 else { return -1 }
        if subscribe(descriptor) { return descriptor }
        close(descriptor)
        return -1
    }

    /// Binds a socket to the groups that report changes of links and routes.
    private static func subscribe(_ descriptor: Int32) -> Bool {
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size)) == 0
            }
        }
    }
}
