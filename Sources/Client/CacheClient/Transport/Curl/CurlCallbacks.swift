import Ccurl
import CLibrary

// libcurl's callbacks, on the loop's thread: each recovers its object in the first line and leaves C in the second.

private func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
    context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
}

// libcurl's caller holds the handle, so the most frequent callbacks use it without retaining it.

func curlDidReceiveLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let shouldContinue = Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.receive(line: line)
    }
    return shouldContinue ? line.count : 0
}

func curlDidReceiveContent(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let content = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
        guard let exchange = handle.exchange else { return 0 }
        guard handle.parser.isComplete else {
            exchange.refuseContent()
            return 0
        }
        guard exchange.receive(content: content) else { return Int(CURL_WRITEFUNC_PAUSE) }
        handle.announce()
        return content.count
    }
}

func curlWantsContent(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let exchange = handle(context)?.exchange else { return Int(CURL_READFUNC_ABORT) }
    switch exchange.content(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
    case .bytes(let count): return count
    case .later: return Int(CURL_READFUNC_PAUSE)
    case .failed: return Int(CURL_READFUNC_ABORT)
    }
}

func curlWantsContentAgain(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32)
    -> Int32
{
    guard let exchange = handle(context)?.exchange, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
    return exchange.rewind(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

func curlOpensSocket(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let exchange = handle(context)?.exchange, exchange.mayOpenConnection, let pointer = address,
        exchange.admits(pointer)
    else { return CURL_SOCKET_BAD }
    let address = pointer.pointee
    let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, type, address.protocol)
    if descriptor >= 0 { exchange.opened(descriptor) }
    return descriptor
}

func curlClosesSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> Int32 {
    guard let context else { return close(descriptor) }
    Unmanaged<LoopCore>.fromOpaque(context).takeUnretainedValue().closes(descriptor)
    return 0
}

func curlWillSendRequest(
    _ context: UnsafeMutableRawPointer?,
    _ remote: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32,
    _ localPort: Int32
) -> Int32 {
    guard let context else { return CURL_PREREQFUNC_ABORT }
    return Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
        guard let exchange = handle.exchange, exchange.admits(remote: remote) else {
            return CURL_PREREQFUNC_ABORT
        }
        let ends = ConnectionEnds(
            localPort: UInt16(truncatingIfNeeded: localPort),
            remotePort: UInt16(truncatingIfNeeded: remotePort),
            remoteAddress: remote.map { String(cString: $0) } ?? ""
        )
        return exchange.willSend(on: ends, with: handle) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
}

func curlMakesProgress(
    _ context: UnsafeMutableRawPointer?,
    _ toReceive: curl_off_t,
    _ received: curl_off_t,
    _ toSend: curl_off_t,
    _ sent: curl_off_t
) -> Int32 {
    handle(context)?.exchange?.lookForClosure()
    return 0
}

func curlWatchesSocket(
    _ easy: UnsafeMutableRawPointer?,
    _ descriptor: curl_socket_t,
    _ interest: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.watch(descriptor, interest) }
    return 0
}

func curlSetsTimer(
    _ multi: UnsafeMutableRawPointer?,
    _ milliseconds: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.setTimer(milliseconds: milliseconds)
    }
    return 0
}
