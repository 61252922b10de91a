/// `serve-get`: the processor time of one `GET /get`, beside a plain C program over the same library.
///
/// `serve-routes`: that of a request to one of 10,000 routes, beside one of ten.
enum ServerBench {
    private struct Load {
        let microsecondsPerRequest: Double
        let requestsPerSecond: Double
    }

    static func run(_ options: Options) throws -> [Figure] {
        let ours = Processes.freePort()
        let served = try Processes.start("\(options.programs)/cachecheck", ["serve", "--port", "\(ours)"])
        defer { Processes.end(served) }
        try Processes.awaitListener(port: ours)
        let plain = Processes.freePort()
        let compared = try Processes.start("\(options.programs)/plain-server", ["\(plain)"])
        defer { Processes.end(compared) }
        try Processes.awaitListener(port: plain)
        var ratios: [Double] = []
        var loads: [Load] = []
        for _ in 0..<5 {
            let reference = try load(port: plain, server: compared)
            let measured = try load(port: ours, server: served)
            ratios.append(measured.microsecondsPerRequest / reference.microsecondsPerRequest)
            loads.append(measured)
        }
        let rate = loads.map(\.requestsPerSecond).median
        return [
            Figure(
                name: "serve-get",
                value: loads.map(\.microsecondsPerRequest).median,
                unit: "µs cpu",
                ratio: ratios.median,
                against: "C libmicrohttpd",
                goal: .atMost(1.25),
                note: "\(Int(rate)) req/s, journal on"
            ),
            try routes(options),
        ]
    }

    private static func routes(_ options: Options) throws -> Figure {
        let few = try RouteServer(options, count: 10)
        defer { few.stop() }
        let many = try RouteServer(options, count: 10_000)
        defer { many.stop() }
        var ratios: [Double] = []
        var values: [Double] = []
        for _ in 0..<5 {
            let reference = try load(port: few.port, server: few.process, path: "/route/9/item")
            let measured = try load(port: many.port, server: many.process, path: "/route/9999/item")
            ratios.append(measured.microsecondsPerRequest / reference.microsecondsPerRequest)
            values.append(measured.microsecondsPerRequest)
        }
        return Figure(
            name: "serve-routes",
            value: values.median,
            unit: "µs cpu",
            ratio: ratios.median,
            against: "10 routes",
            goal: .atMost(2),
            note: "10,000 routes"
        )
    }

    /// A server of so many routes, half of them exact and half with a parameter.
    private struct RouteServer {
        let port = Processes.freePort()
        let process: Int32

        init(_ options: Options, count: Int) throws {
            let file = "/tmp/cachecheck-bench-\(count).json"
            let routes = (0..<count).map { number in
                let path = number.isMultiple(of: 2) ? "/route/\(number)" : "/route/\(number)/{id}"
                return "{\"path\":\"\(path)\",\"answer\":{\"body\":\"\(number)\"}}"
            }
            Machine.write("[" + routes.joined(separator: ",\n") + "]", to: file)
            process = try Processes.start(
                "\(options.programs)/cachecheck",
                ["serve", "--config", file, "--port", "\(port)"]
            )
            try Processes.awaitListener(port: port)
        }

        func stop() { Processes.end(process) }
    }

    private static func load(port: UInt16, server: Int32, path: String = "/get") throws(Failure) -> Load {
        let output = "/tmp/cachecheck-bench-wrk.txt"
        let before = Machine.processorMicroseconds(of: server)
        let status = Processes.run(
            "wrk",
            ["-t1", "-c64", "-d3s", "http://127.0.0.1:\(port)\(path)"],
            output: output
        )
        let used = Machine.processorMicroseconds(of: server) - before
        guard status == 0,
            let line = Machine.lines(of: output).first(where: { $0.contains(" requests in ") }),
            let requests = line.split(separator: " ").first.flatMap({ Double($0) }), requests > 0
        else { throw Failure(status: 69, text: "wrk did not run: status \(status)") }
        return Load(microsecondsPerRequest: used / requests, requestsPerSecond: requests / 3)
    }
}
