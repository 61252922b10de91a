import Clocks

/// A program that speaks the driver protocol, and its description of itself.
public struct Driver: Sendable, Hashable {
    /// The program and its arguments.
    public let command: [String]
    /// The description that it gives of itself.
    public let hello: DriverCapabilities

    /// Creates a driver whose description is already known.
    init(command: [String], hello: DriverCapabilities) {
        (self.command, self.hello) = (command, hello)
    }

    /// Starts the program, asks for its description and ends it; throws the reason if the driver cannot be used.
    public init(greeting command: [String]) throws(SubjectError) {
        self.command = command
        let link = try DriverLink(command, clock: SystemClock())
        defer { link.close() }
        // The first start may install or compile dependencies.
        let reply = try link.ask(.hello, within: .seconds(300)).orThrow()
        guard let hello = reply.hello else {
            throw SubjectError(
                "the driver \(command.joined(separator: " ")) did not answer hello with a name and a kind"
            )
        }
        self.hello = hello
    }
}
