/// `serve-idle`: the memory of a server with 10,000 idle connections.
enum IdleBench {
    private static let count = 10_000

    static func run(_ options: Options) throws(Failure) -> Figure {
        Processes.raiseDescriptorLimit()
        let (process, port) = try Processes.serve(options)
        defer { Processes.end(process) }
        var connections: [GetConnection] = []
        defer { for connection in connections { connection.end() } }
        for _ in 0..<count {
            let connection = try GetConnection(to: port)
            connections.append(connection)
            try connection.get()
        }
        let resident = Double(Machine.residentBytes(of: process)) / Double(1 << 20)
        // All connections are still open: the first, the last and some between them get a response.
        for place in stride(from: 0, to: count, by: 999) { try connections[place].get() }
        return Figure(
            name: "serve-idle",
            value: resident,
            unit: "MiB",
            goal: .atMost(200),
            note: "10,000 connections that have asked once"
        )
    }
}
