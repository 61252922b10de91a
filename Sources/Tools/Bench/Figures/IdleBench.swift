/// `serve-idle`: the memory of a server with 10,000 idle connections.
enum IdleBench {
    private static let count = 10_000

    static func run(_ options: Options) throws(Failure) -> Figure {
        Processes.raiseDescriptorLimit()
        let (process, port) = try Processes.serve(options)
        defer { Processes.end(process) }
        let connections = try ConnectionGroup(of: count, to: port) { connection throws(Failure) in
            try connection.get()
        }
        defer { connections.end() }
        let resident = Machine.residentMiB(of: process)
        // All connections are still open: the first, the last and some between them get a response.
        for index in stride(from: 0, to: count, by: 999) { try connections.all[index].get() }
        return Figure(.serveIdle, resident, note: "10,000 connections that have asked once")
    }
}
