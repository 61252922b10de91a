import Clocks
import ControlServing
import Locks
import Testing

@testable import MockOrigin

@Suite("Namespaces of runs and their expiry")
struct RunRegistryTests {
    private let clock = VirtualClock(wallSeconds: 1_000)
    private let closed = Lock([String]())

    private func registry() -> RunRegistry {
        RunRegistry(clock: clock) { [closed] name in closed.withLock { $0.append(name) } }
    }

    @Test("A run ends when its token has not been used for its lifetime, and not before")
    func expiry() {
        let registry = registry()
        let run = registry.add("a", lifetime: .seconds(10))
        #expect(registry.wallTimeOfExpiry(run) == 1_010)
        clock.advance(by: .seconds(9))
        #expect(registry.name(of: Array(run.token.text.utf8)) == "a")
        clock.advance(by: .seconds(9))
        #expect(registry.runs.map(\.name) == ["a"])
        #expect(registry.wallTimeOfExpiry(registry.runs[0]) == 1_019)
        clock.advance(by: .seconds(1))
        #expect(registry.runs.isEmpty)
        #expect(closed.withLock { $0 } == ["a"])
        #expect(registry.name(of: Array(run.token.text.utf8)) == nil)
        #expect(registry.wallTimeOfExpiry(run) == 1_019)
    }

    @Test("A run that is removed is closed once, and its timer ends")
    func removal() {
        let registry = registry()
        _ = registry.add("a", lifetime: .seconds(10))
        #expect(registry.remove("a") && !registry.remove("a"))
        #expect(clock.nextDeadline == nil)
        #expect(closed.withLock { $0 } == ["a"])
    }

    @Test("Names are in order, and a fresh one is that of no run")
    func names() {
        let registry = registry()
        for name in ["run-2", "b", "a"] { _ = registry.add(name, lifetime: .seconds(10)) }
        #expect((1...3).map { _ in registry.freshName() } == ["run-1", "run-3", "run-4"])
        #expect(registry.runs.map(\.name) == ["a", "b", "run-2"])
        #expect(registry.name(of: Array("another token".utf8)) == nil)
    }
}
