import Clocks
import Explanation
import JSON
import Testing

@testable import Lab

@Suite("The lab", .timeLimit(.minutes(20)))
struct CachingLabTests {
    private let lab: LabUnderTest

    init() throws { lab = try LabUnderTest() }

    @Test("A request passes both caches, and the events are in the order of the exchange")
    func order() async throws {
        let result = try #require(try await lab.perform("respond Cache-Control: max-age=60", "get ada"))
        #expect(
            result.events.map(Self.name) == [
                "ada decides", "ada sends", "gateway decides", "gateway sends", "gateway receives",
                "gateway settles", "ada receives", "ada settles",
            ]
        )
        #expect(result.source == .origin)
    }

    @Test("A repeated hit of the gateway within a second is decided anew")
    func repeatedHit() async throws {
        _ = try await lab.perform("pause", "respond Cache-Control: max-age=60", "get ada")
        for _ in 1...3 {
            let result = try #require(try await lab.perform("clear ada", "get ada"))
            #expect(result.decision(of: .gateway)?.outcome == .served)
            #expect(result.source == .gateway)
        }
    }

    @Test("The clock of all four is one: it stands still, moves by hand, and runs")
    func clock() async throws {
        _ = try await lab.perform("pause")
        let before = lab.lab.clock.wallSeconds
        lab.clock.advance(by: .seconds(5))
        #expect(lab.lab.clock.wallSeconds == before)
        _ = try await lab.perform("advance 1d")
        #expect(lab.lab.clock.wallSeconds == before + 86_400)
        _ = try await lab.perform("run")
        lab.clock.advance(by: .seconds(5))
        #expect(lab.lab.clock.wallSeconds == before + 86_405)
    }

    @Test("While the origin is down, nothing reaches it, and afterwards it serves again")
    func outage() async throws {
        let down = try #require(try await lab.perform("respond etag", "down", "get ada"))
        #expect(down.originRequests == 0)
        #expect(down.source == LabResult.Source.none)
        #expect(down.status == 502)
        let up = try #require(try await lab.perform("up", "get ada"))
        #expect(up.status == 200)
        #expect(up.originRequests == 1)
    }

    @Test("An edit while the origin is down changes nothing")
    func failedEdit() async throws {
        _ = try await lab.perform("respond etag | Cache-Control: max-age=60", "get ada", "down")
        let post = try #require(try await lab.perform("post ada"))
        #expect(post.settlement(of: .ada)?.effect != .invalidated)
        let result = try #require(try await lab.perform("up", "purge", "clear ada", "get ada"))
        #expect(result.entityTag == "\"v1\"")
    }

    @Test(
        "The origin chooses a representation by language and cookie",
        arguments: [
            ("get ada", "\"v1\""), ("get ada Accept-Language: de-CH, en;q=0.5", "\"v1-de\""),
            ("get ada Cookie: theme=dark; user=ben", "\"v1-ben\""),
            ("get ada Accept-Language: de | Cookie: user=ada", "\"v1-de-ada\""),
        ]
    )
    func representations(action: String, tag: String) async throws {
        #expect(try await lab.perform("respond etag", action)?.entityTag == tag)
    }

    @Test("A date relative to now becomes a date of the lab's clock")
    func dates() async throws {
        _ = try await lab.perform("pause", "respond Expires: now+1h", "get ada")
        let entry = lab.lab.state["caches"]?[0]?["entries"]?[0]
        #expect(entry?["source"]?.text == "Expires")
        #expect(entry?["lifetime"]?.integer == 3600)
        #expect(entry?["fields"]?.written().contains(#"["Expires","Thu, 01 Jan 2026 01:00:00 GMT"]"#) == true)
    }

    @Test("The state shows what each cache holds, with lifetime, age and their rule")
    func state() async throws {
        _ = try await lab.perform(
            "pause",
            "respond etag | Cache-Control: max-age=60, s-maxage=90",
            "get ada"
        )
        _ = try await lab.perform("advance 10s")
        let caches = try #require(lab.lab.state["caches"])
        let expected: [(String, Int, String)] = [("ada", 60, "max-age"), ("gateway", 90, "s-maxage")]
        for (name, lifetime, source) in expected {
            guard case .array(let all) = caches else { break }
            let entry = all.first { $0["name"]?.text == name }?["entries"]?[0]
            #expect(entry?["lifetime"]?.integer == lifetime)
            #expect(entry?["source"]?.text == source)
            #expect(entry?["age"]?.integer == 10)
            #expect(entry?["validator"]?.text == "\"v1\"")
        }
    }

    @Test("The command for curl quotes what the shell would read")
    func curl() async throws {
        let result = try #require(try await lab.perform("get ada Cookie: a='b'"))
        let command = result.json["curl"]?.text
        #expect(command == #"curl -i -H 'Cookie: a='\''b'\''' '\#(lab.lab.url)'"#)
    }

    private static func name(_ event: LabEvent) -> String {
        switch event {
        case .decision(let decision): "\(decision.cache.rawValue) decides"
        case .settlement(let settlement): "\(settlement.cache.rawValue) settles"
        case .request(let sender, _): "\(sender.rawValue) sends"
        case .response(let receiver, _): "\(receiver.rawValue) receives"
        case .failure(let receiver, _): "\(receiver.rawValue) fails"
        }
    }
}
