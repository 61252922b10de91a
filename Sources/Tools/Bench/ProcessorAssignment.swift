import Baseline

/// The processors for comparisons of two clients: one for the server, and one for each client.
///
/// Otherwise the system sometimes puts a client on the server's processor, which changes its time.
enum ProcessorAssignment {
    /// The processor of the clients.
    case clients
    /// The processor of the servers.
    case servers

    /// Runs `body`, and all threads and programs that it starts, on the processor.
    func run<Result, Problem: Error>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        baseline_pin(self == .servers ? 1 : 0)
        defer { baseline_unpin() }
        return try body()
    }
}
