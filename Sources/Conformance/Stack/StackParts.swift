import CacheClient
import CacheStorage
import Scenarios

/// What the documents' stack of a scenario is built on: parts of the built-in client.
struct StackParts: Sendable {
    /// The client's loop, on which the stack's tasks run too, so that the clock moves only when all of them wait.
    let loop: ClientLoop
    /// What carries the requests.
    let transport: any Transport
    /// The HTTP cache, the one that `lookup` and `usage` look into.
    let store: CacheStore
}

/// Why a step of the stack could not be taken.
enum StackProblem: Error {
    /// It could not be set up.
    case setup(SubjectError)
    /// The harness could not go on.
    case harness(HarnessProblem)
}

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
