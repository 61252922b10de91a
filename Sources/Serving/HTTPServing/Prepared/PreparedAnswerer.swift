import CLibrary

/// Parses heads and collects the prepared responses to them; used by one thread.
final class PreparedAnswerer {
    /// The responses to the last input, one after the other.
    private(set) var output: [UInt8] = []
    /// The end of each response in `output`.
    private var ends: [Int] = []
    private let handler: any RequestHandler
    let limits: StreamServer.Configuration
    private var reader = HeadReader()
    /// The head that `reader` last parsed.
    private var knownHead: [UInt8] = []

    init(handler: any RequestHandler, limits: StreamServer.Configuration) {
        self.handler = handler
        self.limits = limits
    }

    /// Collects the prepared responses to the requests at the start of `input`; returns how many bytes these requests
    /// have.
    func answer(_ input: UnsafeBufferPointer<UInt8>, _ connection: ServerConnection) -> Int {
        output.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        var used = 0
        while used < input.count {
            let rest = UnsafeBufferPointer(rebasing: input[used...])
            guard let head = HeadReader.find(rest),
                read(UnsafeBufferPointer(rebasing: rest[head])),
                let prepared = prepared(UnsafeBufferPointer(rebasing: rest[head]), connection)
            else { break }
            connection.requests += 1
            output.append(contentsOf: prepared.bytes)
            ends.append(output.count)
            used += head.upperBound
        }
        return used
    }

    /// Parses a head; returns false if it has content, ends the connection or is malformed, so that it is not answered
    /// here.
    private func read(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
        if head.count == knownHead.count, let start = head.baseAddress,
            memcmp(knownHead, start, head.count) == 0
        {
            return true
        }
        knownHead.removeAll(keepingCapacity: true)
        guard reader.read(head, 0..<head.count, limits: limits) == .complete(head.count), reader.isHTTP11,
            !reader.wantsClose, !reader.expectsContinue, !reader.check.hasCoding, reader.check.length == nil
        else { return false }
        knownHead.append(contentsOf: head)
        return true
    }

    private func prepared(_ head: UnsafeBufferPointer<UInt8>, _ connection: ServerConnection)
        -> PreparedResponse?
    {
        guard let firstLine = reader.lines.first else { return nil }
        return handler.preparedResponse(
            for: RequestHead(
                method: UnsafeBufferPointer(rebasing: head[reader.method]),
                target: UnsafeBufferPointer(rebasing: head[reader.target]),
                fieldLines: UnsafeBufferPointer(rebasing: head[firstLine.name.lowerBound..<head.count - 2]),
                connection: connection.number,
                peerPort: connection.peer.port,
                requestsBefore: connection.requests,
                isHTTP11: true
            )
        )
    }

    // MARK: Unsent responses

    /// Reports that only `count` bytes of `output` were sent.
    func wasCut(after count: Int, _ connection: ServerConnection) {
        follower(from: 0, connection).exchangeEnded(.aborted, bytesSent: count)
    }

    /// Returns an observer of the sending of `output` from position `count`.
    func follower(from count: Int, _ connection: ServerConnection) -> PreparedFollower {
        PreparedFollower(
            handler: handler,
            connection: connection.number,
            requests: connection.requests,
            ends: ends.map { $0 - count }
        )
    }
}

/// An observer of prepared responses that the socket did not accept at once.
struct PreparedFollower: ExchangeObserver {
    let handler: any RequestHandler
    let connection: UInt64
    /// The number of requests on the connection that were answered, including these.
    let requests: Int
    /// The end of each response in the bytes that are left to send.
    let ends: [Int]

    func exchangeBegan(_ exchange: RawExchange) {}

    func exchangeParked() {}

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) {
        let lost = ends.count { $0 > bytesSent }
        guard end != .complete, lost > 0 else { return }
        handler.preparedWasCut(connection: connection, after: requests - lost)
    }
}
