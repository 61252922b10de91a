import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Names and numbers of requests, by which faults are drawn")
struct FaultSchedulerTests {
    private func target(_ path: String, fields: [ServedField] = [], body: String = "", method: String = "GET")
        -> FaultInjector.Target
    {
        let request = ServedRequest(method: method, target: path, fields: fields, body: Array(body.utf8))
        return FaultInjector.Target(
            request: request,
            path: String(path.prefix { $0 != "?" }),
            label: "route",
            answer: Answer()
        )
    }

    @Test("Requests that are equal but for Host are numbered, others have names of their own")
    func names() {
        var scheduler = FaultScheduler(FaultPlan())
        let first = scheduler.name(of: target("/a", fields: [ServedField("Host", "one")]))
        #expect(first.hasPrefix("GET /a ") && first.hasSuffix("#1"))
        let again = scheduler.name(of: target("/a", fields: [ServedField("host", "two")]))
        #expect(again == first.dropLast(2) + "#2")
        let others = [
            target("/b"), target("/a?x=1"), target("/a", method: "HEAD"), target("/a", body: "x"),
            target("/a", fields: [ServedField("X", "1")]), target("/a", fields: [ServedField("X", "2")]),
            target("/a", fields: [ServedField("Y", "1")]),
        ]
        let names = others.map { scheduler.name(of: $0) }
        #expect(names.allSatisfy { $0.hasSuffix("#1") })
        #expect(Set(names + [first, again]).count == 9)
        let label = [ServedField(FieldName.requestLabel, "mine")]
        #expect((1...2).map { _ in scheduler.name(of: target("/a", fields: label)) } == ["mine", "mine"])
    }

    @Test("Of more than 10,000 names the others are counted by their routes")
    func many() {
        var scheduler = FaultScheduler(FaultPlan())
        for number in 0..<10_000 { _ = scheduler.name(of: target("/\(number)")) }
        #expect(scheduler.name(of: target("/9999")).hasSuffix("#2"))
        #expect((1...2).map { _ in scheduler.name(of: target("/new")) } == ["route#1", "route#2"])
    }

    @Test("A fault of some requests counts those of its path, and reports each decision once")
    func counted() throws {
        let faults = try Fault.list(text: "close@body requests=2..3")
        var scheduler = FaultScheduler(FaultPlan(faults: faults))
        let happened = ["/a", "/b", "/a", "/a"].map { path in
            scheduler.responseFaults(of: target(path), name: path, elapsed: .zero).count
        }
        #expect(happened == [0, 1, 1, 0])
        var own = target("/a")
        own.answer.faults = faults
        var other = FaultScheduler(FaultPlan())
        let ofAnswers = (1...4).map { _ in
            other.responseFaults(of: own, name: "r", elapsed: .zero).count
        }
        #expect(ofAnswers == [0, 1, 1, 0])
        #expect(!scheduler.harmsConnections)
        #expect(FaultScheduler(FaultPlan(faults: try Fault.list(text: "close@accept"))).harmsConnections)
    }
}
