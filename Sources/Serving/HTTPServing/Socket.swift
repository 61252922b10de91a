import CLibrary

/// System calls on sockets.
enum Socket {
    enum Sent: Equatable {
        case bytes(Int)
        case full
        case failed
    }

    enum Received: Equatable {
        case bytes([UInt8])
        case nothing
        case end
        case failed
    }

    /// Reads up to `capacity` received bytes, by default 16 KiB.
    static func receive(_ socket: CInt, capacity: Int = 16 << 10) -> Received {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, length in
                count = recv(socket, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
                length = max(0, count)
            }
            if count > 0 { return .bytes(bytes) }
            if count == 0 { return .end }
            if errno != EINTR { return errno == EAGAIN || errno == EWOULDBLOCK ? .nothing : .failed }
        }
    }

    /// Enlarges the receive buffer, so that the client can send on while a part of what it has sent stays unread.
    ///
    /// The system counts a large piece as a whole until its last byte is read, and would then let the client send
    /// nothing more. A low-water mark enlarges the buffer without a limit for its growth, and is lowered again at once.
    static func makeRoom(_ socket: CInt) {
        for mark in [roomBytes, 1] {
            var value = mark
            setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &value, socklen_t(MemoryLayout<CInt>.size))
        }
    }

    /// Several of the largest pieces, for which the system joins 17 buffers of 32 KiB.
    private static let roomBytes: CInt = 2 << 20

    /// Returns the size of the client's TLS hello from its record header; `nil` before that is complete.
    static func helloSize(_ socket: CInt) -> Int? {
        var head = [UInt8](repeating: 0, count: 5)
        guard recv(socket, &head, head.count, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == head.count else {
            return nil
        }
        return head.count + Int(head[3]) << 8 + Int(head[4])
    }

    /// Writes without blocking and without a signal; with MSG_MORE the system may wait for more bytes.
    static func send(_ socket: CInt, _ bytes: ArraySlice<UInt8>, isMoreToCome: Bool = false) -> Sent {
        let flags = isMoreToCome ? sendFlags | CInt(MSG_MORE) : sendFlags
        while true {
            let count = bytes.withUnsafeBytes { CLibrary.send(socket, $0.baseAddress, $0.count, flags) }
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .full : .failed
        }
    }

    /// Writes part of a file's content without blocking; fails if the file has changed.
    ///
    /// Only for threads that block SIGPIPE, which this call cannot suppress.
    static func send(_ socket: CInt, _ file: any FileContent, _ range: Range<Int>) -> Sent {
        while true {
            guard file.isUnchanged else { return .failed }
            var place = off_t(range.lowerBound)
            let count = sendfile(socket, file.descriptor, &place, range.count)
            if count > 0 { return .bytes(count) }
            if count < 0, errno == EINTR { continue }
            return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .full : .failed
        }
    }

    /// Returns whether the peer has closed or reset the connection; unread bytes hide a close.
    static func isClosedByPeer(_ socket: CInt) -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
    }

    /// Returns the number of unread bytes.
    static func unreadCount(_ socket: CInt) -> Int {
        var count: CInt = 0
        return ioctl(socket, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Sets the number of unread bytes from which the socket is readable.
    static func setLowWater(_ socket: CInt, _ count: Int) {
        var count = CInt(clamping: count)
        setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Returns the first unread byte without consuming it.
    static func firstByte(_ socket: CInt) -> UInt8? {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == 1 ? byte : nil
    }

    /// Reads and discards received bytes; returns false if the peer has closed.
    static func drain(_ socket: CInt) -> Bool {
        var scratch = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = recv(socket, &scratch, scratch.count, CInt(MSG_DONTWAIT))
            if count > 0 { continue }
            return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
        }
    }

    /// Discards received bytes, because closing with unread bytes resets the connection.
    static func discardUnread(_ socket: CInt) {
        let most = 1 << 30
        recv(socket, nil, most, CInt(MSG_TRUNC) | CInt(MSG_DONTWAIT))
    }

    /// Returns the number of bytes that were read from the socket since it was connected; `nil` if the system does not
    /// count them.
    static func bytesTaken(_ socket: CInt) -> Int? {
        var unread: CInt = 0
        guard ioctl(socket, UInt(FIONREAD), &unread) == 0 else { return nil }
        // The C library's own structure ends before the kernel's `tcpi_bytes_received`, the 17th word of eight bytes.
        var words = [UInt64](repeating: 0, count: 32)
        var length = socklen_t(words.count * MemoryLayout<UInt64>.size)
        guard getsockopt(socket, CInt(IPPROTO_TCP), TCP_INFO, &words, &length) == 0, length >= 17 * 8 else {
            return nil
        }
        return Int(clamping: words[16]) - Int(unread)
    }

    /// Closes the socket with a reset in place of an orderly end.
    static func reset(_ socket: CInt) {
        resetOnClose(socket)
        close(socket)
    }

    /// Lets the socket end with a reset when it is closed.
    static func resetOnClose(_ socket: CInt) {
        var linger = CLibrary.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Prepares an accepted socket: non-blocking, close-on-exec, TCP_NODELAY.
    static func prepare(_ socket: CInt) {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var on: CInt = 1
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    }

    /// The type of TCP sockets.
    ///
    /// The compiler may find `SOCK_STREAM` in the module of libmicrohttpd only, whose headers include it.
    static let streamType = CInt(SOCK_STREAM.rawValue)

    /// Returns a new socket that suits an address; negative if the system has none left.
    static func create(for address: SocketAddress) -> CInt {
        socket(CInt(address.family), streamType, 0)
    }

    /// The progress of connecting a socket.
    enum ConnectionState {
        case connecting
        case established
        case failed(CInt)
    }

    /// Returns whether a socket that was asked to connect is connected.
    static func connectionState(_ socket: CInt) -> ConnectionState {
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return .failed(errno) }
        if code != 0 { return .failed(code) }
        var descriptor = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, 0) == 1 ? .established : .connecting
    }

    /// Limits the bytes that the socket buffers for sending.
    static func setUnsentLimit(_ socket: CInt, _ count: Int) {
        var count = CInt(clamping: count)
        let option = CInt(TCP_NOTSENT_LOWAT)
        setsockopt(socket, CInt(IPPROTO_TCP), option, &count, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Returns whether a socket is listening; one that was shut down is not.
    static func isListening(_ socket: CInt) -> Bool {
        var listens: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens != 0
    }

    /// Returns a listening socket.
    static func listen(_ address: SocketAddress) throws(ServerError) -> CInt {
        let socket = try bound(to: address)
        do {
            try listen(on: socket, address)
        } catch {
            close(socket)
            throw error
        }
        return socket
    }

    /// Starts to listen on a bound socket.
    static func listen(on socket: CInt, _ address: SocketAddress) throws(ServerError) {
        guard CLibrary.listen(socket, 1024) == 0 else {
            throw errno == EADDRINUSE ? inUse(address) : failure("listen")
        }
    }

    /// Returns a bound socket that does not listen; shares its address with another socket if both allow it.
    static func bound(to address: SocketAddress, isShared: Bool = false) throws(ServerError) -> CInt {
        let socket = socket(CInt(address.family), CInt(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw failure("socket") }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        set(socket, SO_REUSEADDR, true)
        if isShared { set(socket, SO_REUSEPORT, true) }
        guard address.withPointer({ bind(socket, $0, $1) }) == 0 else {
            let error = errno == EADDRINUSE ? inUse(address) : failure("bind to \(address.text)")
            close(socket)
            throw error
        }
        return socket
    }

    /// Sets or clears an option at the socket level.
    static func set(_ socket: CInt, _ option: CInt, _ isOn: Bool) {
        var value: CInt = isOn ? 1 : 0
        setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    private static func inUse(_ address: SocketAddress) -> ServerError {
        .portInUse(address: address.text, port: Int(address.port))
    }

    /// Returns an error for the system call that just failed.
    static func failure(_ call: String) -> ServerError {
        .system(call: call, reason: String(cString: strerror(errno)))
    }

    private static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
}
