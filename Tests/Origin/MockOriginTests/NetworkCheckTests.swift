import OriginScript
import TestSupport
import Testing

@testable import MockOrigin

@Suite("Measurements of a network profile", .timeLimit(.minutes(20)), .blocking)
struct NetworkCheckTests {
    /// Returns a profile without rates and losses, with delays that no busy machine takes by chance.
    private func profile(_ change: (inout NetworkProfile) -> Void = { _ in }) -> NetworkProfile {
        var profile = NetworkProfile(name: "p")
        (profile.delayDown, profile.delayUp) = (.seconds(60), .seconds(30))
        change(&profile)
        return profile
    }

    /// Measures at a server in front of which nothing is emulated.
    private func check(_ profile: NetworkProfile) throws -> NetworkCheck {
        try NetworkCheck(profile) { server, _ in NetworkCheck.Proxy(port: server) {} }
    }

    @Test(
        "A new connection takes a round trip more, if packets are delayed",
        arguments: [(NetworkProfile.Layer.packet, 180.0), (.request, 90)]
    )
    func latency(layer: NetworkProfile.Layer, first: Double) throws {
        let check = try check(profile { $0.layer = layer })
        #expect(
            check.figures.map(\.name) == ["first answer on a new connection", "answer on an open connection"]
        )
        #expect(check.figures.map(\.expected) == [first, 90])
        #expect(check.figures.allSatisfy { $0.measured < 60 && !$0.isWithinTolerance })
        #expect(!check.passes)
    }

    @Test("What is not measured is noted, and only that")
    func notes() throws {
        let unlimited = ["download: unlimited", "upload: unlimited"]
        #expect(try check(profile()).notes == unlimited)
        let delay = "DNS delay of 0.05 s: affects only the client, not emulated here"
        #expect(try check(profile { $0.dnsDelay = .milliseconds(50) }).notes == [delay] + unlimited)
        #expect(try check(profile { ($0.down, $0.up) = (1000, 1000) }).notes == [])
    }

    @Test(
        "A rate is measured with as many bytes as take a second, from 500 bytes to 8 MiB",
        arguments: [(1.0, 500), (499, 500), (501, 501), (1e9, 8 << 20)]
    )
    func rates(rate: Double, bytes: Int) throws {
        let check = try check(profile { ($0.down, $0.up) = (rate, rate) })
        #expect(
            check.figures.dropFirst(2).map(\.name)
                == ["download of \(bytes) bytes", "upload of \(bytes) bytes, until the answer"]
        )
        // Both have no content, and only the first opens a connection.
        #expect(abs(check.figures[0].expected - check.figures[1].expected - 90) < 0.001)
        // Fields are sent, too.
        let least = 90 + Double(bytes) / rate
        #expect(check.figures.dropFirst(2).allSatisfy { $0.expected > least })
    }

    @Test("Losses are drawn in each direction that has some, and explained")
    func losses() throws {
        let check = try check(
            profile { ($0.delayDown, $0.delayUp, $0.lossDown, $0.lossUp) = (.zero, .zero, 0.02, 0) }
        )
        let lost = try #require(check.figures.last)
        #expect(check.figures.count == 3)
        #expect(lost.name == "share of packets lost down")
        #expect(lost.isWithinTolerance)
        #expect(check.notes.last?.hasPrefix("a lost packet is a stall of ") == true)
        let upward = try self.check(profile { $0.lossUp = 0.02 })
        #expect(upward.figures.last?.name == "share of packets lost up")
        #expect(upward.notes.last?.hasPrefix("a lost packet is a stall of ") == true)
    }

    @Test("A profile that blocks everything is measured by an answer that must not come")
    func blocked() throws {
        let check = try check(profile { $0.lossUp = 1 })
        #expect(check.figures.map(\.name) == ["answers within 0.5 s"])
        #expect(check.figures.map(\.measured) == [1])
        #expect(!check.passes)
    }

    @Test(
        "A figure may differ by 5 % or 2 ms, whichever is more",
        arguments: [
            (10.0, 10.4, true), (10, 9.6, true), (10, 10.6, false), (10, 9.4, false),
            (0.01, 0.0119, true), (0.01, 0.0121, false), (0, 0.0019, true), (0, 0.0021, false),
        ]
    )
    func tolerance(expected: Double, measured: Double, isWithin: Bool) {
        let figure = NetworkCheck.Figure(name: "", expected: expected, measured: measured)
        #expect(figure.isWithinTolerance == isWithin)
    }

    @Test(
        "Of at most three measurements the earliest counts, and one in time ends them",
        arguments: [
            ([1.0], 1.0, 1), ([0.5], 0.5, 1), ([1.2, 1.0, 0.9], 1.0, 2), ([1.2, 1.4, 1.3, 1.0], 1.2, 3),
            ([1.4, 1.3, 1.2, 1.0], 1.2, 3),
        ]
    )
    func attempts(measured: [Double], earliest: Double, count: Int) {
        var rest = measured[...]
        let result = NetworkCheck.earliest {
            NetworkCheck.Figure(name: "", expected: 1, measured: rest.removeFirst())
        }
        #expect(result.figure.measured == earliest)
        #expect(result.attempts == count)
        #expect(rest.count == measured.count - count)
    }
}
