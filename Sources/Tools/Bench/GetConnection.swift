import CLibrary

/// A connection for requests to `/get`, one after the other.
struct GetConnection {
    private static let request = "GET /get HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private let socket: Int32

    /// Connects; with `receiveBuffer` the system's buffer has this size instead of growing with a fast reader.
    init(to port: UInt16, receiveBuffer: Int32? = nil) throws(Failure) {
        socket = CLibrary.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        guard socket >= 0, Loopback.connects(socket, to: port) else {
            throw Failure(status: 69, text: "cannot connect: \(String(cString: strerror(errno)))")
        }
    }

    /// Closes the connection.
    func end() { close(socket) }

    /// Whether the connection is open and has no unread bytes.
    var isUnanswered: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Sends a request without waiting for its response.
    func send(_ request: String) throws(Failure) {
        let bytes = Array(request.utf8)
        guard CLibrary.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(status: 69, text: "cannot send")
        }
    }

    /// Sends a request to a control API and returns the response, which ends with its content.
    func ask(_ method: String, _ target: String, token: String) throws(Failure) -> String {
        try send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
        var answer = ""
        while !answer.hasSuffix("}\n") {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let taken = recv(socket, &bytes, bytes.count, 0)
            guard taken > 0 else { throw Failure(status: 69, text: "a connection ended without a response") }
            answer += String(decoding: bytes.prefix(taken), as: UTF8.self)
        }
        return answer
    }

    /// Requests a target and reads a response of 200 with `count` bytes of content.
    func get(_ target: String, count: Int) throws(Failure) {
        try ask(target)
        let received = try readHead()
        try skip(count - received)
    }

    /// Requests a target.
    func ask(_ target: String) throws(Failure) {
        try send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    /// Reads the head of a response of 200; returns the number of bytes of content that were read with it.
    func readHead() throws(Failure) -> Int {
        let end = Array("\r\n\r\n".utf8)
        var head: [UInt8] = []
        while true {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let taken = recv(socket, &bytes, bytes.count, 0)
            guard taken > 0 else { throw Failure(status: 69, text: "a connection ended without a response") }
            head += bytes.prefix(taken)
            guard let range = head.firstRange(of: end) else { continue }
            guard head.starts(with: "HTTP/1.1 200 ".utf8) else {
                throw Failure(status: 69, text: "a response is not a 200")
            }
            return head.count - range.upperBound
        }
    }

    /// Reads and discards `count` bytes of content.
    func skip(_ count: Int) throws(Failure) {
        var left = count
        var failed = false
        withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { buffer in
            while left > 0, !failed {
                let taken = recv(socket, buffer.baseAddress, min(left, buffer.count), 0)
                failed = taken <= 0
                left -= taken
            }
        }
        if failed { throw Failure(status: 69, text: "a connection ended within a response") }
    }

    /// Requests `/get` and reads the response to its last chunk.
    func get() throws(Failure) {
        try send(Self.request)
        let end = Array("0\r\n\r\n".utf8)
        var answer: [UInt8] = []
        while !answer.suffix(end.count).elementsEqual(end) {
            var bytes = [UInt8](repeating: 0, count: 1024)
            let taken = recv(socket, &bytes, bytes.count, 0)
            guard taken > 0 else { throw Failure(status: 69, text: "a connection ended without a response") }
            answer += bytes.prefix(taken)
        }
    }
}

/// Connections to one server that are open at the same time.
struct ConnectionGroup {
    private(set) var all: [GetConnection] = []

    /// Opens connections one after the other; `use` gets each before the next is opened.
    init(of count: Int, to port: UInt16, use: (GetConnection) throws(Failure) -> Void) throws(Failure) {
        do throws(Failure) {
            for _ in 0..<count {
                let connection = try GetConnection(to: port)
                all.append(connection)
                try use(connection)
            }
        } catch {
            end()
            throw error
        }
    }

    /// Closes all of them.
    func end() {
        for connection in all { connection.end() }
    }
}
