import Clocks
import OriginScript
import Testing

@testable import MockOrigin

@Suite("The namespaces of a server by their tokens")
struct MountTableTests {
    private func namespace() -> OriginNamespace {
        let injector = FaultInjector(FaultPlan(), clock: VirtualClock(wallSeconds: 0))
        return OriginNamespace(OriginNamespace.Setup(injector: injector, contents: ContentStore(folder: nil)))
    }

    @Test("A scenario replaces another of its token, and its gate, and is not removed with it")
    func scenarios() {
        var table = MountTable()
        let (first, second) = (namespace(), namespace())
        _ = table.add("a", first, isGate: true)
        #expect(table["a"] === first && table.gate === first && table.run("a") == nil)
        _ = table.add("a", second, isGate: false)
        #expect(table["a"] === second && table.gate == nil)
        table.remove("a", first)
        #expect(table["a"] === second)
        table.remove("a", second)
        #expect(table["a"] == nil)
    }

    @Test("The gate stays when another scenario is removed, and goes with its own")
    func gate() {
        var table = MountTable()
        let (first, second) = (namespace(), namespace())
        _ = table.add("a", first, isGate: true)
        _ = table.add("b", second, isGate: false)
        table.remove("b", second)
        #expect(table.gate === first)
        table.remove("a", first)
        #expect(table.gate == nil)
    }

    @Test("A run has a name that nothing else has, until it is closed or a scenario takes its name")
    func runs() {
        var table = MountTable()
        let (run, other, scenario) = (namespace(), namespace(), namespace())
        let isOpen = [table.openRun("r", run), table.openRun("r", other)]
        #expect(isOpen == [true, false])
        #expect(table.run("r") === run && table["r"] === run)
        #expect(table.runs.map { ObjectIdentifier($0) } == [ObjectIdentifier(run)])
        let closed = [table.closeRun("r"), table.closeRun("r")]
        #expect(closed[0] === run && closed[1] == nil)
        #expect(table["r"] == nil && table.runs.isEmpty)
        _ = table.openRun("r", other)
        let replaced = table.add("r", scenario, isGate: false)
        #expect(replaced === other && table["r"] === scenario && table.run("r") == nil)
        let isOpenAgain = table.openRun("r", run)
        #expect(!isOpenAgain)
    }
}
