import Clocks
import OriginScript
import Testing

@testable import HTTPServing
@testable import MockOrigin

@Suite("The times of a response through a network")
struct NetworkLinkTests {
    /// A piece of a response: when it is written, and its bytes.
    private struct Piece: Equatable, CustomStringConvertible {
        var milliseconds: Int
        var text: String
        var description: String { "\(milliseconds): \(text)" }

        init(_ milliseconds: Int, _ text: String) { (self.milliseconds, self.text) = (milliseconds, text) }
    }

    private let clock = VirtualClock()

    private func link(_ change: (inout NetworkProfile) -> Void) -> NetworkLink {
        var profile = NetworkProfile(name: "n")
        change(&profile)
        return NetworkLink(NetworkSchedule(.init(profile)), clock: clock, seed: 1, scope: "s")
    }

    /// Returns the pieces of a response; each wait takes `lateness` longer than it should.
    private func pieces(
        _ link: NetworkLink,
        _ steps: [RawReply.Step],
        isNewConnection: Bool = false,
        lateness: Duration = .zero
    ) -> [Piece] {
        var request = ServedRequest(method: "GET", target: "/a", fields: [ServedField("Host", "x")])
        request.requestsBefore = isNewConnection ? 0 : 1
        let reply = RawReply(steps, ending: .keepAlive, clock: clock)
        var rest = link.shaped(reply, to: request, name: "r").steps
        var pieces: [Piece] = []
        while !rest.isEmpty {
            switch rest.removeFirst() {
            case .write(let bytes):
                let elapsed = Int((clock.elapsed.seconds * 1000).rounded())
                pieces.append(Piece(elapsed, String(decoding: bytes, as: UTF8.self)))
            case .wait(let time): clock.advance(by: time + lateness)
            case .pause(let length): clock.advance(by: (length() ?? .zero) + lateness)
            case .decide(let decide): rest = decide().steps
            default: Issue.record("an unexpected step")
            }
        }
        return pieces
    }

    private func write(_ text: String) -> RawReply.Step { .write(Array(text.utf8)[...]) }

    @Test("A delay of packets costs a round trip for the request and one for a new connection")
    func packets() {
        let link = link { ($0.delayDown, $0.delayUp) = (.milliseconds(30), .milliseconds(20)) }
        #expect(pieces(link, [write("a")]) == [Piece(50, "a")])
        #expect(pieces(link, [write("a")], isNewConnection: true) == [Piece(150, "a")])
    }

    @Test("A delay of requests is the same on a new connection")
    func requests() {
        let link = link { ($0.layer, $0.delayDown) = (.request, .milliseconds(30)) }
        #expect(pieces(link, [write("a")], isNewConnection: true) == [Piece(30, "a")])
    }

    @Test("The head of a request takes the time of its bytes")
    func head() {
        // "GET /a HTTP/1.1", "Host: x" and an empty line, each with its CRLF.
        #expect(pieces(link { $0.up = 1000 }, [write("a")]) == [Piece(28, "a")])
    }

    @Test("A rate spreads the bytes of a response over their time, whatever the steps they come in")
    func rate() {
        let steps = [write("0123456789"), write("abcdefghijklmnopqrstuvwxyz")]
        let expected = [Piece(10, "0123456789"), Piece(30, "abcdefghijklmnopqrst"), Piece(36, "uvwxyz")]
        #expect(pieces(link { $0.down = 1000 }, steps) == expected)
    }

    @Test("Content that is produced while it is written keeps its place in the response")
    func produced() {
        let content = Array(String(repeating: "x", count: 65_536).utf8) + Array("yz".utf8)
        let producer = ContentProducer(count: content.count) { content[$0] }
        let written = pieces(link { _ in }, [write("("), .produce(producer), write(")")])
        #expect(written.map(\.text.count) == [1, 65_536, 2, 1])
        #expect(written.map(\.text.last) == ["(", "x", "z", ")"])
    }

    @Test(
        "A machine that wakes late catches up, a client that reads nothing for more than 100 ms does not",
        arguments: [(5, 45), (100, 120), (101, 242)]
    )
    func lateness(milliseconds: Int, last: Int) {
        let written = pieces(
            link { $0.down = 1000 },
            [write(String(repeating: "x", count: 40))],
            lateness: .milliseconds(milliseconds)
        )
        #expect(written.map(\.text.count) == [20, 20])
        #expect(written.first?.milliseconds == 20 + milliseconds)
        #expect(written.last?.milliseconds == last)
    }

    @Test("Each lost packet delays once, however the bytes are cut into pieces")
    func losses() {
        var profile = NetworkProfile(name: "n")
        profile.lossDown = 0.99
        let link = link { _ in }
        func stalls(_ bytes: Range<Int>) -> Duration {
            link.stalls(bytes, profile, .down, "r")
        }
        let cuts = [0, 1, 1459, 1460, 1461, 2919, 2920, 5840, 7299, 7300]
        let parts = zip(cuts, cuts.dropFirst()).map { stalls($0..<$1) }
        // Nearly all packets are lost; the first two are among them.
        #expect(stalls(0..<1) >= .milliseconds(200))
        #expect(parts.reduce(.zero, +) == stalls(0..<7300))
        #expect(stalls(1..<1460) == .zero)
        #expect(stalls(1..<1461) >= .milliseconds(200))
    }

    @Test(
        "The content of a request is read at the network's rate, or waits until the network is no longer blocked"
    )
    func readings() {
        let request = ServedRequest(method: "PUT", target: "/", fields: [ServedField("Content-Length", "9")])
        let open = link { $0.up = 1_000 }.reading(of: request, name: "r", observer: nil)
        #expect(open.bytesPerSecond == 1_000 && open.stops.isEmpty)
        let slowest = link { $0.up = 0.5 }.reading(of: request, name: "r", observer: nil)
        #expect(slowest.bytesPerSecond == 1)
        let plain = link { _ in }.reading(of: request, name: "r", observer: nil)
        #expect(plain.bytesPerSecond == nil && plain.stops.isEmpty)
        let blocked = link { $0.up = 0 }.reading(of: request, name: "r", observer: nil)
        #expect(blocked.bytesPerSecond == nil && blocked.stops.map(\.offset) == [0])
        guard case .hold = blocked.stops.first?.action else {
            Issue.record("expected a stop until the network changes")
            return
        }
        let lossy = link { $0.lossUp = 0.999 }.reading(of: request, name: "r", observer: nil)
        #expect(lossy.stops.map(\.offset) == [0])
    }
}
