import Clocks
import Scenarios

/// A subject outside the process that has been started, for all scenarios of a run.
protocol OutsideSubject: Sendable {
    /// What it can be put through.
    var abilities: SubjectAbilities { get }
    /// After which a step is given up, the subject's own patience not counted.
    var patience: Duration { get }
    /// Gets it ready for one scenario; blocks while it has no room.
    func prepare(_ scenario: Scenario) throws(SubjectError) -> PreparedSubject
    /// Makes it ready for one test of the public suite.
    func openSeat() throws(SubjectError) -> any SuiteSubject
    /// Ends it.
    func close()
}

/// A subject outside the process that waits for the origin of one scenario.
struct PreparedSubject {
    /// What the origin and the scenario go by.
    let clock: any TimeSource
    /// Moves the subject's clock and `clock`; `nil` where time only passes by itself.
    var leap: ((Duration) throws(SubjectError) -> Void)?
    /// Gives it its origin and what its requests' turns are noted in; the subject is to be closed.
    let open: (NamespaceOrigin, ScenarioPermits) -> OpenSubject
}

/// A subject outside the process as one scenario uses it.
struct OpenSubject {
    let subject: any Subject
    /// The origin as the subject's requests reach it.
    let origin: any ScenarioOrigin
}
