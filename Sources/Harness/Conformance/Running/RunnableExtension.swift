public import Clocks
public import Scenarios

/// An extension of the language whose steps can be taken, with the built-in client as the subject.
public protocol RunnableExtension: ScenarioExtension {
    /// Why other subjects are not put through its steps, as a clause.
    var skipReason: String { get }
    /// Returns what takes the steps of one scenario.
    func runner(on stage: ExtensionEnvironment) -> any ExtensionRunner
}

/// Takes the steps of one extension in one scenario, in order and on one thread.
public protocol ExtensionRunner: AnyObject {
    /// Takes a step; what was seen and did not hold is added to `record`.
    ///
    /// `context` is what expectations are compared in, as it is when it is called.
    func take(
        _ step: any ExtensionStep,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem)

    /// Drops every object in memory; what is in files stays.
    func restart() throws(SubjectError)
}

/// Why a step could not be taken.
public enum StepProblem: Error, Sendable, Hashable {
    /// It could not be set up.
    case setup(SubjectError)
    /// The harness could not go on.
    case harness(HarnessProblem)
}

/// What an extension's steps of one scenario are taken with.
public struct ExtensionEnvironment {
    /// What the scenario says below the extension's key; `nil` where it says nothing.
    public let settings: (any Sendable)?
    /// The scenario's clock.
    public let clock: any TimeSource
    /// What URLs and field values stand for at present.
    public let address: ScenarioVariables
    /// The parts of the built-in client, as they are since the last restart.
    public let client: @Sendable () -> ClientParts
    private let driver: any ScenarioClockDriver

    init(
        _ stage: ScenarioEnvironment,
        settings: (any Sendable)?,
        client: @escaping @Sendable () -> ClientParts
    ) {
        self.settings = settings
        self.client = client
        clock = stage.clock
        address = stage.address
        driver = stage.driver
    }

    /// To be raised by everything that could end a wait.
    public var signal: Signal { driver.signal }

    /// Lets the scenario's time pass until `isDone`.
    public func wait(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem) {
        try driver.wait(for: what(), until: isDone)
    }

    /// Waits until nothing can happen without the clock.
    public func settle() throws(HarnessProblem) { try driver.settle() }
}
