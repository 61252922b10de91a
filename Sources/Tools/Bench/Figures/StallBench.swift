import CLibrary

/// `serve-stalled`: the time of `/get` with 2,000 connections whose responses are held, and with none.
enum StallBench {
    private static let count = 2_000
    private static let request = "GET /get?fault=stall@before-head HTTP/1.1\r\nHost: localhost\r\n\r\n"

    static func run(_ options: Options) throws -> Figure {
        Processes.raiseDescriptorLimit()
        let (process, port) = try Processes.serve(options)
        defer { Processes.end(process) }
        var (idle, beside) = ([Double](), [Double]())
        var threads = 0
        for _ in 0..<5 {
            idle.append(try median(port))
            let stalled = try ConnectionGroup(of: count, to: port) { connection throws(Failure) in
                try connection.send(request)
            }
            defer { stalled.end() }
            // Only then all of them are held: until the server has read them, their arrival would be measured.
            try Processes.awaitIdle(process)
            beside.append(try median(port))
            threads = max(threads, Machine.threadCount(of: process))
            guard stalled.all.allSatisfy(\.isUnanswered) else {
                throw Failure(status: 70, text: "a connection that was to stall was answered or closed")
            }
        }
        return figure(beside, idle, threads: threads)
    }

    private static func figure(_ beside: [Double], _ idle: [Double], threads: Int) -> Figure {
        let reference = "\(Figure.text(idle.median)) µs beside none"
        let ratio = zip(beside, idle).map { $0 / $1 }.median
        let note = "2,000 stalled connections, \(threads) threads in all"
        return Figure(
            Measure("serve-stalled", "µs", .atMost(2), against: reference),
            beside.median,
            ratio: ratio,
            note: note
        )
    }

    /// Returns the median time of `/get` on one connection, without the first requests.
    private static func median(_ port: UInt16) throws -> Double {
        let connection = try GetConnection(to: port)
        defer { connection.end() }
        for _ in 0..<500 { try connection.get() }
        return try Samples(count: 4_000) { try connection.get() }.median / 1_000
    }
}
