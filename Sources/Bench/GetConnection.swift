import Glibc

/// A connection on which `/get` is asked, one request after the other.
struct GetConnection {
    private static let request = "GET /get HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private let socket: Int32

    init(to port: UInt16) throws(Failure) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Processes.loopback(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard socket >= 0, status == 0 else {
            throw Failure(status: 69, text: "cannot connect: \(String(cString: strerror(errno)))")
        }
    }

    /// Closes it.
    func end() { close(socket) }

    /// Whether it is there and nothing has come that was not read.
    var isUnanswered: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Sends a request and does not wait for its answer.
    func send(_ request: String) throws(Failure) {
        let bytes = Array(request.utf8)
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(status: 69, text: "cannot send")
        }
    }

    /// Asks a control API and returns the answer, which ends with its content.
    func ask(_ method: String, _ target: String, token: String) throws(Failure) -> String {
        try send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
        )
        var answer = ""
        while !answer.hasSuffix("}\n") {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let taken = recv(socket, &bytes, bytes.count, 0)
            guard taken > 0 else { throw Failure(status: 69, text: "a connection ended unanswered") }
            answer += String(decoding: bytes.prefix(taken), as: UTF8.self)
        }
        return answer
    }

    /// Asks for `/get` and reads the answer to its last chunk.
    func get() throws(Failure) {
        try send(Self.request)
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
