import Clocks
import HTTPServing
import Locks
import OriginScript
import Testing
import TestSupport

@testable import MockOrigin

/// A clock that does something when it is next read.
private final class InterruptingClock: TimeSource {
    private let base = VirtualClock(wallSeconds: 0)
    let interrupt = Lock<(@Sendable () -> Void)?>(nil)

    var timeSinceEpoch: Duration {
        let action = interrupt.withLock { interrupt in
            defer { interrupt = nil }
            return interrupt
        }
        action?()
        return base.timeSinceEpoch
    }

    var elapsed: Duration { base.elapsed }

    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        base.schedule(after: delay, wake)
    }

    func schedule(_ target: any TimerTarget, at deadline: Duration) -> PendingTimer {
        base.schedule(target, at: deadline)
    }

    func cancel(_ timer: PendingTimer) { base.cancel(timer) }
}

@Suite("Routes that are replaced while a request is matched")
struct ReplacedRouteTests {
    @Test("The request is answered by the new ones, and counted by these alone")
    func replaced() {
        let clock = InterruptingClock()
        let injector = FaultInjector(FaultPlan(), clock: clock)
        var setup = OriginNamespace.Setup(injector: injector, contents: ContentStore(folder: nil))
        setup.site = Site(routes: [.get("/a", .text("one"))])
        let namespace = OriginNamespace(setup)
        clock.interrupt.withLock { interrupt in
            interrupt = { namespace.replace(Site(routes: [.get("/a", .text("two"))])) }
        }
        let accepted = namespace.accept(ServedRequest(method: "GET", target: "/a"))
        let texts = accepted.reply.steps.compactMap { step in
            if case .content(let piece, _, _) = step {
                piece.bytes().map { String(decoding: $0, as: UTF8.self) }
            } else {
                nil
            }
        }
        #expect(texts == ["two"])
        #expect(namespace.progress.counts == [1])
        #expect(namespace.record().count == 1)
    }
}
