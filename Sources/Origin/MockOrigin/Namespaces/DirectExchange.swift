package import HTTPServing
import Clocks
import Locks
import OriginScript

/// A request that reaches a namespace without a socket.
package struct DirectRequest: Sendable {
    /// Method.
    package var method: String
    /// Path with query, with or without the namespace's prefix.
    package var target: String
    /// Field lines in order.
    package var fields: [ServedField]
    /// Content.
    package var body: [UInt8]

    /// Creates a request.
    package init(method: String, target: String, fields: [ServedField] = [], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }
}

/// The reply to a direct request.
package enum DirectReply: Sendable {
    /// A head, and content that may be incomplete.
    case response(DirectResponse)
    /// The connection would have ended before the head.
    case none(DirectEnd)
}

/// The kind of a direct exchange's end.
package enum DirectEnd: Sendable, Hashable {
    /// The content is complete.
    case complete
    /// The connection would have been closed.
    case closed
    /// The connection would have been reset.
    case reset
    /// The calling task was cancelled.
    case cancelled
}

/// The response to a direct request.
package struct DirectResponse: Sendable {
    /// The head of a final or interim response.
    package struct Head: Sendable {
        /// Status code.
        package var status: Int
        /// Reason phrase.
        package var reason: String
        /// Field lines in order, including the framing.
        package var fields: [ServedField]
        /// Whether field values are sent in ISO-8859-1 instead of UTF-8.
        package var isLatin1: Bool
    }
    /// 1xx responses before this one.
    package var interim: [Head]
    /// The final head.
    package var head: Head
    /// The content that was sent, with its content coding.
    package var body: [UInt8]
    /// Sizes of the pieces of the content.
    package var pieces: [Int]
    /// The end of the exchange.
    package var end: DirectEnd

    fileprivate init(interim: [Head], _ head: Head) {
        (self.interim, self.head) = (interim, head)
        (body, pieces, end) = ([], [], .closed)
    }
}

extension OriginNamespace {
    /// Answers a request by the same script without a socket; returns when everything is sent, by the namespace's
    /// clock.
    package func answer(_ request: DirectRequest) async -> DirectReply {
        let served = ServedRequest(
            method: request.method,
            target: request.target,
            fields: request.fields,
            body: request.body
        )
        // As a server does; otherwise redirects to their own target could double it without end.
        let isTooLong = request.target.utf8.count > HTTPServer.Configuration().targetLimitBytes
        let accepted = isTooLong ? refuse(served, for: .targetTooLong) : accept(served)
        directChanged(inFlight: 1)
        var reply = await perform(accepted.reply)
        if request.method == "HEAD" { reply.dropContent() }
        directChanged(inFlight: -1)
        ended(accepted.number, reply.isCancelled ? .aborted : .complete, bytesSent: reply.bodyCount)
        return reply
    }

    private func perform(
        _ reply: ComposedReply,
        after earlier: [DirectResponse.Head] = []
    ) async -> DirectReply {
        var seen: DirectResponse?
        var interim = earlier
        for step in reply.steps {
            switch step {
            case .interim(let head): interim.append(.init(head))
            case .head, .headSent:
                seen = DirectResponse(interim: interim, .init(reply.head))
            case .content(let piece, _, _):
                guard let bytes = piece.bytes() else { return .ended(seen, .closed) }
                seen?.body += bytes
                seen?.pieces.append(bytes.count)
            // Bytes that exist only on a connection; scenarios that need them are not run without sockets.
            case .endOfContent, .raw: break
            case .wait(let time):
                if await !pause({ try await clock.sleep(for: time) }) { return .ended(seen, .cancelled) }
            case .hold(let hold):
                if await !pause({ try await Sleeper.sleep(hold.wait) }) { return .ended(seen, .cancelled) }
            case .decide(let decide): return await perform(decide(), after: interim)
            }
        }
        let cut = reply.ending == .reset ? DirectEnd.reset : .closed
        return .ended(seen, reply.isCut || seen == nil ? cut : .complete)
    }

    /// Waits and counts as parked; returns false if the task was cancelled.
    private func pause(_ wait: () async throws -> Void) async -> Bool {
        directChanged(parked: 1)
        defer { directChanged(parked: -1) }
        do {
            try await wait()
            return true
        } catch {
            return false
        }
    }
}

extension DirectReply {
    /// Removes content that no recipient would attribute to this message (RFC 9112 §6.3).
    fileprivate mutating func dropContent() {
        guard case .response(var response) = self else { return }
        (response.body, response.pieces) = ([], [])
        self = .response(response)
    }

    fileprivate static func ended(_ response: DirectResponse?, _ end: DirectEnd) -> DirectReply {
        guard var response else { return .none(end) }
        response.end = end
        return .response(response)
    }

    fileprivate var isCancelled: Bool {
        switch self {
        case .none(let end): end == .cancelled
        case .response(let response): response.end == .cancelled
        }
    }

    fileprivate var bodyCount: Int {
        switch self {
        case .none: 0
        case .response(let response): response.body.count
        }
    }
}

extension DirectResponse.Head {
    fileprivate init(_ head: ComposedReply.Head) {
        self.init(status: head.status, reason: head.reason, fields: head.fields, isLatin1: head.isLatin1)
    }
}
