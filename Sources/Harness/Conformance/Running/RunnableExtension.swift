package import Clocks
package import Scenarios

/// An extension of the scenario language whose steps can be run, with the built-in client as the subject.
package protocol RunnableExtension: ScenarioExtension {
    /// The reason why its steps are skipped for other subjects, as a clause.
    var skipReason: String { get }
    /// Returns a runner for the steps of one scenario.
    func runner(on environment: ExtensionEnvironment) -> any ExtensionRunner
}

/// Runs the steps of one extension in one scenario, in order and on one thread.
package protocol ExtensionRunner: AnyObject {
    /// Runs a step; adds observations and mismatches to `record`.
    ///
    /// `context` is called for the current values that expectations are compared with.
    func take(
        _ step: any ExtensionStep,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem)

    /// Drops every object in memory; files stay.
    func restart() throws(SubjectError)
}

/// The reason why a step could not be run.
package enum StepProblem: Error, Sendable, Hashable {
    /// The step could not be set up.
    case setup(SubjectError)
    /// The harness could not continue.
    case harness(HarnessProblem)
}

/// The environment of an extension's steps in one scenario.
package struct ExtensionEnvironment {
    /// The scenario's settings below the extension's key; `nil` if there are none.
    package let settings: (any Sendable)?
    /// The scenario's clock.
    package let clock: any TimeSource
    /// The current values of URLs and field values.
    package let address: ScenarioVariables
    /// Returns the parts of the built-in client since the last restart.
    package let client: @Sendable () -> ClientParts
    private let driver: any ScenarioClockDriver

    init(
        _ environment: ScenarioEnvironment,
        settings: (any Sendable)?,
        client: @escaping @Sendable () -> ClientParts
    ) {
        self.settings = settings
        self.client = client
        clock = environment.clock
        address = environment.address
        driver = environment.driver
    }

    /// A signal that everything that could end a wait must raise.
    package var signal: Signal { driver.signal }

    /// Lets the scenario's time pass until `isDone` returns true.
    package func wait(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem) {
        try driver.wait(for: what(), until: isDone)
    }

    /// Waits until nothing can happen unless the clock moves.
    package func settle() throws(HarnessProblem) { try driver.settle() }
}
