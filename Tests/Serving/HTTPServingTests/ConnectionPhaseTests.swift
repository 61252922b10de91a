import CLibrary
import Locks
import Testing
import TestSupport
import Threads

@testable import HTTPServing

@Suite("Phases of a connection and their time limits")
struct ConnectionPhaseTests {
    @Test("A phase follows every other, except an expired one", arguments: [1, 2, 3, 4] as [UInt64])
    func enter(number: UInt64) throws {
        let kind = try #require(ConnectionPhase.Kind(rawValue: number))
        let phase = ConnectionPhase()
        let first = phase.seen.kind
        let isEntered = phase.enter(kind)
        let entered = phase.seen
        let isExpired = phase.move(from: entered, to: .expired)
        let isEnteredAgain = phase.enter(.idle)
        let last = phase.seen.kind
        #expect(first == .idle)
        #expect(isEntered && entered.kind == kind)
        #expect(entered.time >= .zero)
        #expect(isExpired && !isEnteredAgain)
        #expect(last == .expired)
    }

    @Test("A phase that has changed since it was observed is not replaced")
    func changed() {
        let phase = ConnectionPhase()
        let seen = phase.seen
        phase.enter(.head)
        let isMoved = phase.move(from: seen, to: .expired)
        let kind = phase.seen.kind
        #expect(!isMoved)
        #expect(kind == .head)
    }

    @Test("Connections are checked four times in the shortest limit, at intervals of 5 ms to 5 s")
    func interval() {
        var limits = TimeLimits()
        #expect(limits.interval == .seconds(5))
        limits.content = .milliseconds(400)
        #expect(limits.interval == .milliseconds(100))
        limits.head = .milliseconds(8)
        #expect(limits.interval == .milliseconds(5))
    }

    @Test("An idle connection is checked after half of the shorter limit of a head and of idleness")
    func firstLook() {
        var limits = TimeLimits()
        #expect(limits.firstLook == .seconds(15))
        limits.idle = .seconds(4)
        #expect(limits.firstLook == .seconds(2))
    }

    @Test(
        "Every KiB of content adds a second to its limit",
        arguments: [(0, 60_000), (512, 60_500), (2048, 62_000)]
    )
    func content(count: Int, milliseconds: Int) {
        #expect(TimeLimits().content(of: count) == .milliseconds(milliseconds))
    }
}

@Suite("The starts and stops of a server", .timeLimit(.minutes(20)), .blocking)
struct StartStateTests {
    private let state = StartState()
    private let events = Lock([String]())

    private func note(_ event: String) { events.withLock { $0.append(event) } }

    @Test("A stop during a start takes effect after it, and then another start is possible")
    func stopDuringStart() throws {
        let isCalled = Gate()
        var thread: SystemThread?
        try state.begin {
            thread = SystemThread { [state] in
                isCalled.open()
                state.end { note("stopped") }
            }
            isCalled.wait()
            // Gives a stop that does not wait the time to run.
            for _ in 0..<1000 { sched_yield() }
            note("started")
        }
        thread?.join()
        try state.begin { note("started again") }
        #expect(events.withLock { $0 } == ["started", "stopped", "started again"])
    }

    @Test("A stop during a stop returns, so that a thread that the first one waits for may call it")
    func stopDuringStop() throws {
        try state.begin {}
        state.end {
            note("first")
            state.end { note("second") }
            #expect(throws: ServerError.alreadyStarted) { try state.begin {} }
        }
        #expect(events.withLock { $0 } == ["first", "second"])
        try state.begin {}
    }

    @Test("A start that fails can be repeated, one that succeeds only after a stop")
    func repeatedStart() throws {
        do throws(ServerError) {
            try state.begin { () throws(ServerError) in throw .daemon }
            Issue.record("a start that fails has succeeded")
        } catch {
            #expect(error == .daemon)
        }
        try state.begin {}
        #expect(throws: ServerError.alreadyStarted) { try state.begin {} }
        state.end {}
        try state.begin {}
    }
}
