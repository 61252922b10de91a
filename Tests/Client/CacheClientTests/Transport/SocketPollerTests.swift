import Ccurl
import CLibrary
import Testing

@testable import CacheClient

@Suite("The sockets of a loop's connections", .timeLimit(.minutes(20)))
struct SocketPollerTests {
    /// Two connected sockets, which are closed with this object.
    private final class Pair {
        let own: Int32
        private var peer: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            (own, peer) = (ends[0], ends[1])
        }

        func send() { _ = write(peer, "x", 1) }

        func receive() {
            var byte: UInt8 = 0
            _ = recv(own, &byte, 1, Int32(MSG_DONTWAIT))
        }

        func closePeer() {
            if peer >= 0 { close(peer) }
            peer = -1
        }

        deinit {
            close(own)
            closePeer()
        }
    }
    private let poller: SocketPoller
    private let pair: Pair

    init() throws {
        poller = try #require(SocketPoller())
        pair = try Pair()
    }

    /// Returns whether anything is found without waiting.
    private func wakes() -> Bool { poller.wait(milliseconds: 0, isEager: false) }

    /// Returns the events that are reported without waiting, in libcurl's form.
    private func readiness() -> [Int32] {
        _ = wakes()
        var found: [Int32] = []
        while let (descriptor, readiness) = poller.nextReady() {
            #expect(descriptor == pair.own)
            found.append(readiness)
        }
        return found
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let input: Bool
        let output: Bool
        let hasInput: Bool
        let readiness: [Int32]

        var testDescription: String {
            "\(input ? "input" : "")\(output ? "output" : "") awaited, \(hasInput ? "a byte" : "nothing") arrives"
        }
    }

    @Test(
        "A socket is reported if it is ready for what is awaited on it",
        arguments: [
            Row(input: true, output: false, hasInput: false, readiness: []),
            Row(input: true, output: false, hasInput: true, readiness: [CURL_CSELECT_IN]),
            Row(input: false, output: true, hasInput: false, readiness: [CURL_CSELECT_OUT]),
            Row(input: false, output: true, hasInput: true, readiness: [CURL_CSELECT_OUT]),
            Row(input: true, output: true, hasInput: false, readiness: [CURL_CSELECT_OUT]),
            Row(input: true, output: true, hasInput: true, readiness: [CURL_CSELECT_IN | CURL_CSELECT_OUT]),
            Row(input: false, output: false, hasInput: true, readiness: []),
        ],
        [true, false]
    )
    func ready(row: Row, isConnection: Bool) {
        if isConnection { poller.opened(pair.own) }
        poller.watch(pair.own, input: row.input, output: row.output)
        if row.hasInput { pair.send() }
        #expect(readiness() == row.readiness)
        // Until it is read or no longer awaited, it is reported again.
        #expect(readiness() == row.readiness)
        poller.watch(pair.own, input: false, output: false)
        #expect(readiness() == [])
    }

    @Test(
        "Input that arrives on an idle connection wakes the loop once at most, and is found when it is awaited"
    )
    func early() {
        poller.opened(pair.own)
        poller.watch(pair.own, input: true, output: false)
        poller.watch(pair.own, input: false, output: false)
        pair.send()
        #expect(readiness() == [])
        #expect(!wakes())
        poller.watch(pair.own, input: true, output: false)
        #expect(readiness() == [CURL_CSELECT_IN])
    }

    @Test("What is no longer awaited on any other socket does not wake the loop")
    func unwatched() {
        poller.watch(pair.own, input: true, output: false)
        poller.watch(pair.own, input: false, output: false)
        pair.send()
        #expect(!wakes())
    }

    @Test("Output that is no longer awaited does not wake the loop")
    func noOutput() {
        poller.opened(pair.own)
        poller.watch(pair.own, input: true, output: true)
        poller.watch(pair.own, input: true, output: false)
        #expect(!wakes())
        poller.watch(pair.own, input: false, output: true)
        #expect(readiness() == [CURL_CSELECT_OUT])
    }

    @Test("A connection that passes from one exchange to the next is reported to each")
    func reused() {
        poller.opened(pair.own)
        for _ in 0..<3 {
            poller.watch(pair.own, input: false, output: true)
            #expect(readiness() == [CURL_CSELECT_OUT])
            poller.watch(pair.own, input: true, output: false)
            #expect(readiness() == [])
            pair.send()
            #expect(readiness() == [CURL_CSELECT_IN])
            pair.receive()
            poller.watch(pair.own, input: false, output: false)
            #expect(!wakes())
        }
    }

    @Test("If the other end is closed, libcurl has to look by itself")
    func closedByPeer() {
        poller.opened(pair.own)
        poller.watch(pair.own, input: true, output: false)
        pair.closePeer()
        #expect(readiness() == [0])
    }

    @Test("A socket that is about to be closed is not reported, and one that gets its number is")
    func closed() {
        poller.closes(pair.own)
        poller.opened(pair.own)
        poller.watch(pair.own, input: true, output: false)
        pair.send()
        poller.closes(pair.own)
        #expect(!wakes())
        poller.opened(pair.own)
        #expect(!wakes())
        poller.watch(pair.own, input: true, output: false)
        #expect(readiness() == [CURL_CSELECT_IN])
    }

    @Test(
        "A wake-up ends one wait, that of the time or the next one, and reports no socket",
        arguments: [true, false]
    )
    func wakeUp(isEager: Bool) {
        #expect(poller.nextReady() == nil)
        #expect(!wakes())
        poller.wakeUp()
        #expect(poller.wait(milliseconds: 60_000, isEager: isEager))
        #expect(poller.nextReady() == nil)
        #expect(!wakes())
    }

    @Test("Each of many sockets is reported")
    func many() throws {
        let pairs = try (0..<200).map { _ in try Pair() }
        for pair in pairs {
            poller.opened(pair.own)
            poller.watch(pair.own, input: true, output: false)
            pair.send()
        }
        var found: Set<Int32> = []
        for _ in 0..<10 where wakes() {
            while let (descriptor, _) = poller.nextReady() { found.insert(descriptor) }
        }
        #expect(found == Set(pairs.map(\.own)))
    }
}
