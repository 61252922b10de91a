/// A server's performance under the load of many connections.
struct WebLoad {
    let requestsPerSecond: Double
    let microsecondsPerRequest: Double

    /// Requests a page for some seconds, and counts the processor time of the server's processes.
    init(
        _ peer: GatewayPeer,
        _ page: String,
        connections: Int,
        seconds: Int,
        fields: [String] = []
    ) throws(Failure) {
        let output = "/tmp/cachecheck-bench-wrk.txt"
        let before = Machine.processorMicroseconds(ofTree: peer.process)
        var arguments = ["-t1", "-c\(connections)", "-d\(seconds)s"] + fields.flatMap { ["-H", $0] }
        arguments.append("http://127.0.0.1:\(peer.port)\(page)")
        let status = Processes.run("wrk", arguments, output: output)
        let used = Machine.processorMicroseconds(ofTree: peer.process) - before
        guard status == 0, let requests = Self.requests(in: Machine.lines(of: output)), requests > 0
        else { throw Failure(status: 69, text: "\(peer.name): wrk got no useful answers, status \(status)") }
        requestsPerSecond = requests / Double(seconds)
        microsecondsPerRequest = used / requests
    }

    /// Returns the number of requests that wrk reports; `nil` if some were not answered by a 2xx.
    private static func requests(in lines: [String]) -> Double? {
        guard !lines.contains(where: { $0.contains("Non-2xx") }) else { return nil }
        let line = lines.first { $0.contains(" requests in ") }
        return line?.split(separator: " ").first.flatMap { Double($0) }
    }
}
