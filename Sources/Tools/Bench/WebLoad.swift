/// A server's performance under the load of many connections.
struct WebLoad {
    let requestsPerSecond: Double
    let microsecondsPerRequest: Double

    /// Requests a page for some seconds, and counts the processor time of the server's processes.
    init(_ peer: GatewayPeer, _ page: String, connections: Int, seconds: Int) throws(Failure) {
        let output = "/tmp/cachecheck-bench-wrk.txt"
        let before = Machine.processorMicroseconds(ofTree: peer.process)
        let status = Processes.run(
            "wrk",
            ["-t1", "-c\(connections)", "-d\(seconds)s", "http://127.0.0.1:\(peer.port)\(page)"],
            output: output
        )
        let used = Machine.processorMicroseconds(ofTree: peer.process) - before
        let lines = Machine.lines(of: output)
        guard status == 0, !lines.contains(where: { $0.contains("Non-2xx") }),
            let line = lines.first(where: { $0.contains(" requests in ") }),
            let requests = line.split(separator: " ").first.flatMap({ Double($0) }), requests > 0
        else { throw Failure(status: 69, text: "\(peer.name): wrk got no useful answers") }
        requestsPerSecond = requests / Double(seconds)
        microsecondsPerRequest = used / requests
    }
}
