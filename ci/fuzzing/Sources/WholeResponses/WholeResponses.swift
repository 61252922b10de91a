import CacheClient
import Dispatch
import FuzzInput
import HTTPTypes
import Synchronization

/// Responses through all of the transport, libcurl included: several on one connection, divided by lines of three hyphens.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let answers = FuzzInput(start, count).parts
    origin.answer(with: answers)
    for number in 0..<min(answers.count, 4) { ask(number.isMultiple(of: 3) ? .get : .head, number) }
    // None is left for the next input's connections.
    origin.answer(with: [])
    return 0
}

private let origin: ScriptedOrigin = {
    let origin = ScriptedOrigin()
    origin.start()
    return origin
}()

private let transport: CurlTransport = {
    guard let transport = try? CurlTransport() else { preconditionFailure("no transport") }
    return transport
}()

/// Sends one request and waits for the end, which always comes.
private func ask(_ method: HTTPRequest.Method, _ number: Int) {
    let head = HTTPRequest(
        method: method,
        scheme: "http",
        authority: "127.0.0.1:\(origin.port)",
        path: "/\(number)"
    )
    let receiver = CheckingReceiver()
    _ = transport.start(TransportRequest(head: head), receiver: receiver)
    receiver.ended.wait()
}

/// Checks that a transport reports its events in the documented order.
private final class CheckingReceiver: TransportReceiver {
    let ended = DispatchSemaphore(value: 0)
    private let seen = Mutex((hasHead: false, hasEnded: false, bytes: 0))

    func receive(interim response: HTTPResponse) {
        precondition(
            seen.withLock { !$0.hasHead && !$0.hasEnded },
            "an interim response behind the final one"
        )
        precondition((100..<200).contains(response.status.code), "\(response.status.code) is not interim")
    }

    func receive(head response: HTTPResponse) {
        precondition(
            response.status.code >= 200 || response.status.code < 100,
            "an interim response as final"
        )
        let isFirst = seen.withLock { seen in
            defer { seen.hasHead = true }
            return !seen.hasHead && !seen.hasEnded
        }
        precondition(isFirst, "two heads")
    }

    func receive(piece: [UInt8]) -> Bool {
        precondition(!piece.isEmpty && seen.withLock { $0.hasHead && !$0.hasEnded }, "content out of order")
        return true
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        let (hasHead, hasEnded) = seen.withLock { seen in
            defer { seen.hasEnded = true }
            return (seen.hasHead, seen.hasEnded)
        }
        precondition(!hasEnded, "two ends")
        if case .success = end { precondition(hasHead, "a success without a head") }
        ended.signal()
    }
}
