import Cnetlink

/// A message of the kernel about links and routes (rtnetlink), limited to what reachability needs.
enum RouteMessage: Sendable, Hashable {
    /// A link exists; whether it is administratively up, and whether it also has a carrier.
    case link(index: Int32, name: String, isUp: Bool, isRunning: Bool, isLoopback: Bool)
    /// A link was removed.
    case linkGone(index: Int32)
    /// A default route over a link exists.
    case defaultRoute(DefaultRoute)
    /// A default route was removed.
    case defaultRouteGone(DefaultRoute)
    /// The end of a requested list.
    case done
    /// The kernel could not fulfil a request, or lost messages.
    case failed(code: Int32)

    /// The properties that identify a default route.
    struct DefaultRoute: Sendable, Hashable {
        var family: UInt8
        var table: UInt32
        var link: Int32
        var metric: UInt32
    }
}

extension RouteMessage {
    /// Parses the messages of one datagram; skips irrelevant ones, and the rest of a damaged datagram.
    static func messages(in bytes: [UInt8]) -> [RouteMessage] {
        var messages: [RouteMessage] = []
        var start = 0
        while let header: nlmsghdr = load(bytes, at: start) {
            let length = Int(header.nlmsg_len)
            guard length >= MemoryLayout<nlmsghdr>.size, start + length <= bytes.count else { break }
            let payload = Array(bytes[(start + MemoryLayout<nlmsghdr>.size)..<(start + length)])
            if let message = message(of: Int(header.nlmsg_type), payload) { messages.append(message) }
            start += aligned(length)
        }
        return messages
    }

    private static func message(of type: Int, _ payload: [UInt8]) -> RouteMessage? {
        switch type {
        case RTM_NEWLINK, RTM_DELLINK: link(payload, isGone: type == RTM_DELLINK)
        case RTM_NEWROUTE, RTM_DELROUTE: route(payload, isGone: type == RTM_DELROUTE)
        case Int(NLMSG_DONE): .done
        case Int(NLMSG_ERROR): (load(payload, at: 0) as Int32?).flatMap { $0 == 0 ? nil : .failed(code: -$0) }
        case Int(NLMSG_OVERRUN): .failed(code: 0)
        default: nil
        }
    }

    private static func link(_ payload: [UInt8], isGone: Bool) -> RouteMessage? {
        // A bridge reports its ports with messages of a separate address family, which concern the bridge only.
        guard let header: ifinfomsg = load(payload, at: 0), header.ifi_family == 0 else { return nil }
        if isGone { return .linkGone(index: header.ifi_index) }
        let name = attributes(payload, after: MemoryLayout<ifinfomsg>.size)[Int(IFLA_IFNAME)] ?? []
        let flags = header.ifi_flags
        let isUp = flags & UInt32(IFF_UP.rawValue) != 0
        return .link(
            index: header.ifi_index,
            name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self),
            isUp: isUp,
            isRunning: isUp && flags & UInt32(IFF_RUNNING.rawValue) != 0,
            isLoopback: flags & UInt32(IFF_LOOPBACK.rawValue) != 0
        )
    }

    private static func route(_ payload: [UInt8], isGone: Bool) -> RouteMessage? {
        guard let header: rtmsg = load(payload, at: 0) else { return nil }
        // A default route has no destination; local, broadcast and blackhole routes have other types.
        guard header.rtm_dst_len == 0, Int(header.rtm_type) == Int(RTN_UNICAST) else { return nil }
        let attributes = attributes(payload, after: MemoryLayout<rtmsg>.size)
        func number(_ kind: UInt32) -> UInt32? { attributes[Int(kind)].flatMap { load($0, at: 0) } }
        let route = DefaultRoute(
            family: header.rtm_family,
            table: number(RTA_TABLE.rawValue) ?? UInt32(header.rtm_table),
            link: Int32(bitPattern: number(RTA_OIF.rawValue) ?? 0),
            metric: number(RTA_PRIORITY.rawValue) ?? 0
        )
        return isGone ? .defaultRouteGone(route) : .defaultRoute(route)
    }

    private static func attributes(_ payload: [UInt8], after start: Int) -> [Int: [UInt8]] {
        var attributes: [Int: [UInt8]] = [:]
        var start = aligned(start)
        while let header: rtattr = load(payload, at: start) {
            let length = Int(header.rta_len)
            guard length >= MemoryLayout<rtattr>.size, start + length <= payload.count else { break }
            let kind = Int(header.rta_type) & 0x3FFF
            attributes[kind] = Array(payload[(start + MemoryLayout<rtattr>.size)..<(start + length)])
            start += aligned(length)
        }
        return attributes
    }

    private static func load<Value: BitwiseCopyable>(_ bytes: [UInt8], at start: Int) -> Value? {
        guard start + MemoryLayout<Value>.size <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Value.self) }
    }

    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}
