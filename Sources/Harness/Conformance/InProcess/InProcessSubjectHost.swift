import Clocks
import HTTPTypes
import Scenarios

/// Creates a cache in this process for each scenario, with its own clock, which the scenario moves.
final class InProcessSubjectHost: SubjectHost {
    let abilities: SubjectAbilities
    let timeout = Duration.zero
    private let subject: InProcessSubject
    private let clock: SystemClock
    private let caller: WireCaller
    private let advancesClock: Bool

    /// Creates a host; without `advancesClock` time only passes by itself.
    init(_ subject: InProcessSubject, advancesClock: Bool, clock: SystemClock) throws(SubjectError) {
        self.subject = subject
        self.clock = clock
        self.advancesClock = advancesClock
        caller = try .connecting(1, clock)
        abilities = SubjectAbilities(subject.capabilities, advancesClock: advancesClock)
    }

    func prepare(_ needs: SubjectNeeds) throws(SubjectError) -> PreparedSubject {
        let offsetClock = advancesClock ? OffsetClock(clock) : nil
        let time: any TimeSource = offsetClock ?? clock
        var prepared = PreparedSubject(clock: time) { [self] access in
            let made = make(at: access.origin.authority + access.origin.base, time)
            return OpenSubject(subject: InProcessSubjectAdapter(made, at: access, clock: time))
        }
        if let offsetClock {
            prepared.advance = { (duration: Duration) throws(SubjectError) in
                offsetClock.advance(by: duration)
            }
        }
        return prepared
    }

    func close() {}

    private func make(at origin: String, _ time: any TimeSource) -> Result<any Subject, SubjectError> {
        let context = SubjectContext(origin: origin, clock: time, kind: subject.kind, caller: caller)
        do {
            return .success(try subject.make(context))
        } catch {
            return .failure(SubjectError("the subject cannot be created: \(error)"))
        }
    }
}

extension SubjectAbilities {
    /// Creates the abilities of a cache in this process.
    init(_ capabilities: InProcessSubject.Capabilities, advancesClock: Bool) {
        self.init()
        (isInProcess, isClient) = (true, true)
        restarts = capabilities.contains(.restarts)
        clears = capabilities.contains(.removesAll)
        dumps = capabilities.contains(.inspects)
        obeysPolicies = capabilities.contains(.policies)
        obeysTimeouts = capabilities.contains(.timeouts)
        leavesRedirects = capabilities.contains(.redirects)
        self.advancesClock = advancesClock
    }
}
