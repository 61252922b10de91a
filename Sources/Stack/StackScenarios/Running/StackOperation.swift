import Conformance
import Scenarios

/// A running operation of the stack.
protocol StackOperation: AnyObject, Sendable {
    /// A short description.
    var title: String { get }
    /// Whether the operation has ended.
    var isFinished: Bool { get }
    /// Cancels the operation, as its caller would.
    func cancel()
    /// Checks the outcome against the expectation; called after the operation has ended.
    func judge(_ expectation: StackExpectation, _ context: ExpectationContext, _ record: inout StepRecord)
}
