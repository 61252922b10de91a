import Glibc

/// `serve-idle`: the memory of a server that has 10,000 connections on which nothing is asked any more.
enum IdleBench {
    private static let count = 10_000

    static func run(_ options: Options) throws(Failure) -> Figure {
        raiseDescriptorLimit()
        let port = Processes.freePort()
        let process = try Processes.start("\(options.programs)/cachecheck", ["serve", "--port", "\(port)"])
        defer { Processes.end(process) }
        try Processes.awaitListener(port: port)
        var sockets: [Int32] = []
        defer { sockets.forEach { close($0) } }
        for _ in 0..<count {
            let socket = try connected(to: port)
            sockets.append(socket)
            try ask(socket)
        }
        let resident = Double(Machine.residentBytes(of: process)) / Double(1 << 20)
        // All of them are still there: the first and the last, and some between, are answered again.
        for place in stride(from: 0, to: count, by: 999) { try ask(sockets[place]) }
        return Figure(
            name: "serve-idle",
            value: resident,
            unit: "MiB",
            goal: .atMost(200),
            note: "10,000 connections that have asked once"
        )
    }

    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func connected(to port: UInt16) throws(Failure) -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Processes.loopback(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard socket >= 0, status == 0 else {
            throw Failure(status: 69, text: "cannot connect: \(String(cString: strerror(errno)))")
        }
        return socket
    }

    /// Asks for `/get` and reads the answer to its last chunk.
    private static func ask(_ socket: Int32) throws(Failure) {
        let request = Array("GET /get HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Failure(status: 69, text: "cannot send")
        }
        let end = Array("0\r\n\r\n".utf8)
        var answer: [UInt8] = []
        while !answer.suffix(end.count).elementsEqual(end) {
            var bytes = [UInt8](repeating: 0, count: 1024)
            let taken = recv(socket, &bytes, bytes.count, 0)
            guard taken > 0 else { throw Failure(status: 69, text: "a connection ended unanswered") }
            answer += bytes.prefix(taken)
        }
    }
}
