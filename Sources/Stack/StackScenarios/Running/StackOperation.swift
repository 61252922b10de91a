import Conformance
import Scenarios

/// Something of the stack that has been begun and ends by itself.
protocol StackOperation: AnyObject, Sendable {
    /// What it is, in a few words.
    var title: String { get }
    /// Whether it has ended.
    var isOver: Bool { get }
    /// Ends it, as its caller would.
    func cancel()
    /// Compares what came of it with what is expected; to be called after its end.
    func judge(_ expectation: StackExpectation, _ context: ExpectationContext, _ record: inout StepRecord)
}
