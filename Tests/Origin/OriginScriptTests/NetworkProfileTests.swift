import LocatedYAML
import OriginScript
import Testing

@Suite("Network profiles")
struct NetworkProfileTests {
    @Test(
        "A preset has the numbers of its source, in bytes and one way",
        arguments: [
            ("apple:3g", 97_500.0, 41_250.0, 100, 100, NetworkProfile.Layer.packet),
            ("apple:edge", 30_000, 25_000, 400, 440, .packet),
            ("apple:lte", 6_250_000, 1_250_000, 50, 65, .packet),
            ("chrome:slow-4g", 180_000, 84_375, 562.5, 0, .request),
            ("chrome:3g", 50_000, 50_000, 2000, 0, .request),
            // K of 1,024 bit.
            ("firefox:gprs", 6_400, 2_560, 500, 0, .request),
            // A round trip of 300 ms.
            ("wpt:3g", 200_000, 96_000, 150, 150, .packet),
            ("sitespeed:3g", 200_000, 96_000, 75, 75, .packet),
        ]
    )
    func preset(
        name: String,
        down: Double,
        up: Double,
        delayDown: Double,
        delayUp: Double,
        layer: NetworkProfile.Layer
    ) throws {
        let profile = try NetworkProfile(named: name)
        #expect(profile.down == down && profile.up == up && profile.layer == layer)
        #expect(profile.delayDown == .milliseconds(delayDown) && profile.delayUp == .milliseconds(delayUp))
    }

    @Test("Every name is unique")
    func names() {
        let names = NetworkProfile.presets.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 60)
    }

    @Test("Profiles follow one another at their times")
    func schedule() throws {
        let schedule = try NetworkSchedule(text: "lte for 5s, then 100% loss for 3s, then Edge")
        #expect(schedule.profile(at: .zero).profile.name == "apple:lte")
        #expect(schedule.profile(at: .milliseconds(4999)).until == .seconds(5))
        #expect(schedule.profile(at: .seconds(5)).profile.isBlocked)
        #expect(schedule.profile(at: .seconds(8)).profile.name == "apple:edge")
        #expect(schedule.profile(at: .seconds(800)).until == nil)
    }

    @Test(
        "An invalid network is refused",
        arguments: [
            (
                "apple:4g",
                "found \"apple:4g\", expected \"apple:3g\" or \"wpt:4g\" or \"sitespeed:4g\" or \"chrome:slow-4g\""
            ),
            ("nothing", "expected a network profile of `cachecheck network list`"), ("lte for 5s", nil),
            ("lte, then edge", "expected lte for a duration"),
            ("lte for ever, then edge", "expected for and a duration such as 5s"),
            ("{down: 5k}", "f:1:8: found \"5k\", expected a rate such as 780kbit/s"),
            ("{latency: 1s, delay: 1s}", "f:1:2: found \"latency\""), ("{downn: 1}", "expected \"down\""),
        ] as [(String, String?)]
    )
    func problems(text: String, part: String?) throws {
        let problems = ProblemCollector()
        _ = NetworkSchedule.reader.read(try YAMLNode.parse(text, file: "f"), problems)
        #expect(problems.problems.isEmpty == (part == nil))
        if let part {
            #expect(problems.problems.contains { $0.description.contains(part) }, "\(problems.problems)")
        }
    }

    @Test("A file of faults or profiles reports its problems with their positions")
    func files() throws {
        #expect(try FaultsFile.decode("faults: [reset@body:5]", file: "f").count == 1)
        #expect(try NetworkFile.decode("profiles: [{name: x, loss: 5%}]", file: "f")[0].lossUp == 0.05)
        #expect(throws: YAMLProblems.self) { try FaultsFile.decode("fault: []", file: "f") }
    }

    @Test(
        "Packets are delayed each way, and by a connection for a round trip (RFC 9293 §3.5); requests before their answers",
        arguments: [
            (.packet, .up, .connection, 70), (.packet, .up, .message, 20), (.packet, .up, .nothing, 20),
            (.packet, .down, .message, 30), (.packet, .down, .nothing, 30), (.request, .up, .connection, 0),
            (.request, .up, .message, 0), (.request, .down, .message, 30), (.request, .down, .nothing, 0),
        ] as [(NetworkProfile.Layer, NetworkProfile.Direction, NetworkProfile.Opening, Int)]
    )
    func delays(
        layer: NetworkProfile.Layer,
        direction: NetworkProfile.Direction,
        opening: NetworkProfile.Opening,
        milliseconds: Int
    ) {
        var profile = NetworkProfile(name: "x")
        (profile.layer, profile.delayDown) = (layer, .milliseconds(30))
        profile.delayUp = layer == .packet ? .milliseconds(20) : .zero
        #expect(profile.delay(direction, opening) == .milliseconds(milliseconds))
    }

    @Test(
        "A fiftieth of a second's bytes pass at once",
        arguments: [(5000.0, 1000, 100), (5000, 40, 40), (10, 1000, 1), (nil, 1000, 1000)]
            as [(Double?, Int, Int)]
    )
    func pieces(rate: Double?, count: Int, piece: Int) {
        var profile = NetworkProfile(name: "x")
        profile.up = rate
        #expect(profile.piece(of: count, .up) == piece)
    }

    @Test("A lost packet costs its timeout, twice as much each time")
    func retransmission() throws {
        let profile = try NetworkProfile(named: "apple:very-bad-network")
        #expect(profile.retransmission(0) == .milliseconds(1200))
        #expect(profile.retransmission(1) == .milliseconds(2400))
        #expect(profile.retransmission(9) == .seconds(60))
    }
}
