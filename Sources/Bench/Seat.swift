import Baseline

/// Which processors do what where two clients are compared: the server has one to itself, and so has each client.
///
/// Left to the system, a client now and then shares one with the server, and is measured by that.
enum Seat {
    /// Runs `body`, and whatever threads it starts, on the processor of the clients.
    static func onClients<Result, Problem: Error>(
        _ body: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        baseline_pin(0)
        defer { baseline_unpin() }
        return try body()
    }

    /// Runs `body`, and whatever programs it starts, on the processor of the servers.
    static func onServers<Result, Problem: Error>(
        _ body: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        baseline_pin(1)
        defer { baseline_unpin() }
        return try body()
    }
}
