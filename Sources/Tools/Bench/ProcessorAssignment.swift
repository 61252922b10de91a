import Baseline

/// Which processors do what where two clients are compared: the server has one to itself, and so has each client.
///
/// Left to the system, a client now and then shares one with the server, and is measured by that.
enum ProcessorAssignment {
    /// The processor of the clients.
    case clients
    /// The processor of the servers.
    case servers

    /// Runs `body`, and whatever threads and programs it starts, on the processor.
    func run<Result, Problem: Error>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        baseline_pin(self == .servers ? 1 : 0)
        defer { baseline_unpin() }
        return try body()
    }
}
