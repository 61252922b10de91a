import TestSupport
import Testing

@testable import Fetching

@Suite("Kernel messages about links and routes")
struct RouteTableTests {
    @Test("There is a network from the first default route over a running link until the last is removed")
    func routes() {
        var table = RouteTable()
        func status() -> NetworkStatus { table.status { $0 == "wlan0" ? .wifi : .wired } }
        func apply(_ bytes: [UInt8]) {
            for message in RouteMessage.messages(in: bytes) { table.apply(message) }
        }
        #expect(status() == .unreachable)
        apply(Self.link(1, "lo", flags: Self.running | 8) + Self.link(2, "eth0", flags: Self.running))
        apply(Self.link(3, "wlan0", flags: Self.running))
        #expect(status() == .unreachable)
        apply(Self.route(to: 24, over: 2))
        #expect(status() == .unreachable)
        apply(Self.route(over: 1))
        #expect(status() == .unreachable)
        apply(Self.route(over: 3, metric: 600))
        #expect(status() == .wifi)
        apply(Self.route(over: 2, metric: 100))
        #expect(status() == .wired)
        apply(Self.route(over: 2, metric: 100, isGone: true))
        #expect(status() == .wifi)
        apply(Self.link(3, "wlan0", flags: 0))
        #expect(status() == .unreachable)
        apply(Self.link(3, "wlan0", flags: Self.running))
        #expect(status() == .unreachable)
        apply(Self.route(over: 3))
        #expect(status() == .wifi)
        apply(Self.link(3, "wlan0", flags: 0, isGone: true))
        #expect(status() == .unreachable)
    }

    @Test("Losing the carrier ends the network, and its routes are used again when the carrier is back")
    func carrier() {
        var table = RouteTable()
        func status(after bytes: [UInt8]) -> NetworkStatus {
            for message in RouteMessage.messages(in: bytes) { table.apply(message) }
            return table.status { _ in .wired }
        }
        let up: UInt32 = 1
        let plugged = Self.link(2, "eth0", flags: Self.running)
        #expect(status(after: plugged + Self.route(over: 2)) == .wired)
        #expect(status(after: Self.link(2, "eth0", flags: up)) == .unreachable)
        #expect(status(after: plugged) == .wired)
    }

    @Test("Blackhole routes do not count, and multipath routes do")
    func kinds() {
        var table = RouteTable()
        for message in RouteMessage.messages(in: Self.route(over: 0, kind: 6)) { table.apply(message) }
        #expect(table.status { _ in .wired } == .unreachable)
        for message in RouteMessage.messages(in: Self.route(over: 0)) { table.apply(message) }
        #expect(table.status { _ in .wired } == .reachable)
    }

    @Test("The end of a list and a failure are reported, an acknowledgement is not")
    func control() {
        let done = Self.message(3, [0, 0, 0, 0])
        let failure = Self.message(2, Self.bytes(of: Int32(-1)) + [UInt8](repeating: 0, count: 16))
        let acknowledgement = Self.message(2, [UInt8](repeating: 0, count: 20))
        #expect(RouteMessage.messages(in: done + failure + acknowledgement) == [.done, .failed(code: 1)])
    }

    @Test(
        "Messages about anything else change nothing, whatever they contain",
        .checks("sqfetch.reachability.ignores-foreign-notifications"),
        // Addresses, neighbours, rules, namespaces, and what the kernel may send one day.
        arguments: [20, 21, 28, 29, 32, 33, 88, 89, 1000] as [UInt16]
    )
    func foreign(kind: UInt16) {
        var table = RouteTable()
        func status(after bytes: [UInt8]) -> NetworkStatus {
            for message in RouteMessage.messages(in: bytes) { table.apply(message) }
            return table.status { _ in .wired }
        }
        func foreign(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            bytes.replaceSubrange(4..<6, with: Self.bytes(of: kind))
            return bytes
        }
        let (link, route) = (Self.link(2, "eth0", flags: Self.running), Self.route(over: 2))
        #expect(status(after: foreign(link) + foreign(route)) == .unreachable)
        #expect(status(after: link + route) == .wired)
        #expect(status(after: foreign(Self.link(2, "eth0", flags: 0))) == .wired)
        #expect(status(after: foreign(Self.route(over: 2, isGone: true))) == .wired)
        #expect(status(after: Self.route(over: 2, isGone: true)) == .unreachable)
    }

    @Test("Truncated messages, and those with a wrong length, are ignored without a crash")
    func damaged() {
        let whole = Self.link(2, "eth0", flags: Self.running) + Self.route(over: 2, metric: 5)
        for length in 0..<whole.count { _ = RouteMessage.messages(in: Array(whole[..<length])) }
        for index in whole.indices {
            for value in [UInt8(0), 1, 0x7F, 0xFF] {
                var bytes = whole
                bytes[index] = value
                _ = RouteMessage.messages(in: bytes)
            }
        }
        #expect(RouteMessage.messages(in: Array(whole.dropLast(4))).count == 1)
        #expect(RouteMessage.messages(in: [255, 255, 255, 255] + [UInt8](repeating: 0, count: 12)) == [])
    }

    /// IFF_UP and IFF_RUNNING.
    private static let running: UInt32 = 0x41

    private static func bytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    private static func message(_ kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let head = bytes(of: UInt32(16 + payload.count)) + bytes(of: kind) + [UInt8](repeating: 0, count: 10)
        return head + payload + [UInt8](repeating: 0, count: (4 - payload.count % 4) % 4)
    }

    private static func attribute(_ kind: UInt16, _ value: [UInt8]) -> [UInt8] {
        bytes(of: UInt16(4 + value.count)) + bytes(of: kind) + value
            + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    /// RTM_NEWLINK is 16, RTM_DELLINK 17, IFLA_IFNAME 3.
    private static func link(_ index: Int32, _ name: String, flags: UInt32, isGone: Bool = false) -> [UInt8] {
        let head: [UInt8] = [0, 0, 1, 0] + bytes(of: index) + bytes(of: flags) + [0, 0, 0, 0]
        return message(isGone ? 17 : 16, head + attribute(3, Array(name.utf8) + [0]))
    }

    /// RTM_NEWROUTE is 24, RTM_DELROUTE 25, RTA_OIF 4, RTA_PRIORITY 6, RTA_TABLE 15; RTN_UNICAST is 1.
    private static func route(
        to destination: UInt8 = 0,
        over link: UInt32,
        metric: UInt32 = 0,
        kind: UInt8 = 1,
        isGone: Bool = false
    ) -> [UInt8] {
        let head: [UInt8] = [2, destination, 0, 0, 254, 3, 0, kind, 0, 0, 0, 0]
        var attributes = attribute(15, bytes(of: UInt32(254)))
        if link > 0 { attributes += attribute(4, bytes(of: link)) }
        if metric > 0 { attributes += attribute(6, bytes(of: metric)) }
        return message(isGone ? 25 : 24, head + attributes)
    }
}
