import Clocks
import Scenarios

/// A subject outside the process that has been started, for all scenarios of a run.
protocol OutsideSubject: Sendable {
    /// The subject's abilities, which limit the scenarios that it can be tested with.
    var abilities: SubjectAbilities { get }
    /// The time limit of a step, in addition to the subject's own.
    var patience: Duration { get }
    /// Prepares the subject for one scenario; blocks while it has no capacity.
    func prepare(_ scenario: Scenario) throws(SubjectError) -> PreparedSubject
    /// Prepares the subject for one test of the public suite.
    func openSuiteSubject() throws(SubjectError) -> any SuiteSubject
    /// Ends the subject.
    func close()
}

/// A subject outside the process, prepared for one scenario and not yet connected to an origin.
struct PreparedSubject {
    /// The clock of the origin and of the scenario.
    let clock: any TimeSource
    /// Moves the subject's clock and `clock`; `nil` if time only passes by itself.
    var leap: ((Duration) throws(SubjectError) -> Void)?
    /// Connects the subject to its origin, with the permits of its requests; the caller closes the subject.
    let open: (NamespaceOrigin, ScenarioPermits) -> OpenSubject
}

/// A subject outside the process as one scenario uses it.
struct OpenSubject {
    let subject: any SubjectAdapter
    /// The origin as the subject's requests reach it.
    let origin: any ScenarioOrigin
}
