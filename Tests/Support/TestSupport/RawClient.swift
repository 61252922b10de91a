import CLibrary

/// A client that sends and receives raw bytes.
public final class RawClient {
    /// A system call or an expectation that failed.
    public struct Failure: Error {
        /// A description of what failed.
        public var what: String
        /// The system's error number; 0 if no system call failed.
        public var code: CInt
    }
    private var socket: CInt
    private var buffer: [UInt8] = []

    /// Connects to a port of a numeric address; throws for `nil`, the port of a server that does not listen.
    ///
    /// A call fails if nothing arrives for `timeout` seconds. Many tests run at once, so the default is far more
    /// than any response takes on a quiet machine.
    public init(_ address: String = "127.0.0.1", port: Int?, timeout: Int = 120) throws {
        guard let port = port.flatMap(UInt16.init(exactly:)) else { throw Failure(what: "no port", code: 0) }
        var hints = addrinfo()
        (hints.ai_flags, hints.ai_socktype) = (AI_NUMERICHOST, CInt(SOCK_STREAM.rawValue))
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address, "\(port)", &hints, &found)
        guard code == 0, let peer = found?.pointee else { throw Failure(what: "no address", code: code) }
        defer { freeaddrinfo(found) }
        socket = CLibrary.socket(peer.ai_family, peer.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0)
        var interval = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &interval, socklen_t(MemoryLayout<timeval>.size))
        guard connect(socket, peer.ai_addr, peer.ai_addrlen) == 0 else {
            let code = errno
            CLibrary.close(socket)
            socket = -1
            throw Failure(what: "connect", code: code)
        }
    }

    deinit { close() }

    /// The local port.
    public var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Closes the connection; may be repeated.
    public func close() {
        if socket >= 0 { CLibrary.close(socket) }
        socket = -1
    }

    /// Resets the connection.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

    /// Sends nothing more; responses can still be read.
    public func endSending() { shutdown(socket, CInt(SHUT_WR)) }

    /// Sends text.
    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                CLibrary.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(what: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a request with the fields every request needs.
    public func request(_ method: String = "GET", _ target: String, _ lines: [String] = [], body: String = "")
        throws
    {
        var all = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + lines
        if !body.isEmpty { all.append("Content-Length: \(body.utf8.count)") }
        try send(all.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Receives once; empty at the connection's end.
    private func receive() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Failure(what: "recv", code: errno) }
        return Array(bytes.prefix(count))
    }

    /// Reads up to and including a text.
    public func read(through text: String) throws -> String {
        while true {
            if let range = buffer.firstRange(of: Array(text.utf8)) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
            }
            let more = try receive()
            guard !more.isEmpty else { throw Failure(what: "end before \(text)", code: 0) }
            buffer += more
        }
    }

    /// Reads a number of bytes.
    public func read(count: Int) throws -> [UInt8] {
        while buffer.count < count {
            let more = try receive()
            guard !more.isEmpty else { throw Failure(what: "end before \(count) bytes", code: 0) }
            buffer += more
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// Reads until the other end closes.
    public func readToEnd() throws -> [UInt8] {
        while true {
            let more = try receive()
            if more.isEmpty { break }
            buffer += more
        }
        defer { buffer = [] }
        return buffer
    }

    /// Whether the other end has closed with nothing more to read.
    public func isAtEnd() throws -> Bool {
        try buffer.isEmpty && receive().isEmpty
    }

    /// Reads one response that is delimited by its length, by chunks or by its status.
    public func response(toHead: Bool = false) throws -> RawResponse {
        let head = try read(through: "\r\n\r\n")
        var response = RawResponse(head: head)
        if toHead || response.status == 304 || response.status == 204 || response.status < 200 {
            return response
        }
        if let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.body = try read(count: length)
        } else if response["Transfer-Encoding"] == "chunked" {
            while true {
                let line = try read(through: "\r\n").dropLast()
                guard let size = Int(line.prefix { $0.isHexDigit }, radix: 16) else { break }
                response.chunks.append(size)
                response.body += try read(count: size)
                _ = try read(count: 2)
                if size == 0 { break }
            }
        } else {
            response.body = try readToEnd()
        }
        return response
    }
}
