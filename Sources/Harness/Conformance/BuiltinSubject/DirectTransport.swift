import CacheClient
import HTTPServing
import HTTPTypes
import MockOrigin

/// Sends requests to a namespace in the same process, without sockets.
final class DirectTransport: Transport {
    private let loop: ClientLoop
    private let origin: NamespaceOrigin

    init(loop: ClientLoop, origin: NamespaceOrigin) {
        self.loop = loop
        self.origin = origin
    }

    var executor: (any TaskExecutor)? { loop }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        let task = Task(executorPreference: loop) { [origin] in
            await Self.carry(request, to: origin, receiver)
        }
        return SocketlessExchange(task: task)
    }

    private static func carry(
        _ request: TransportRequest,
        to origin: NamespaceOrigin,
        _ receiver: any TransportReceiver
    ) async {
        do throws(TransportError) {
            if origin.isRefusing || origin.namespace.isRefusing {
                throw TransportError(.cannotConnect, "The origin refuses connections.")
            }
            let reply = await origin.namespace.answer(try await direct(request))
            receiver.receive(end: deliver(reply, receiver))
        } catch {
            receiver.receive(end: .failure(error))
        }
    }

    private static func direct(_ request: TransportRequest) async throws(TransportError) -> DirectRequest {
        let head = request.head
        var fields = [ServedField(FieldNames.host, head.authority ?? "")]
        fields += head.headerFields.map { field in
            field.withUnsafeBytesOfValue { bytes in ServedField(field.name.rawName, bytes: Array(bytes)) }
        }
        let body = try await content(of: request.body)
        if request.body != nil {
            fields.append(ServedField(HTTPField.Name.contentLength.rawName, String(body.count)))
        }
        return DirectRequest(
            method: head.method.rawValue,
            target: head.path ?? "/",
            fields: fields,
            body: body
        )
    }

    private static func content(of body: RequestBody?) async throws(TransportError) -> [UInt8] {
        switch body {
        case nil: return []
        case .bytes(let bytes): return bytes
        case .file, .stream:
            throw TransportError(.unknown, "Without sockets, only content in memory can be sent.")
        }
    }

    /// Delivers the origin's response to `receiver` and returns how it ended.
    private static func deliver(
        _ reply: DirectReply,
        _ receiver: any TransportReceiver
    ) -> Result<TransportEnd, TransportError> {
        guard case .response(let response) = reply else { return .failure(failure(of: reply)) }
        for head in response.interim { receiver.receive(interim: HTTPResponse(head)) }
        receiver.receive(head: HTTPResponse(response.head))
        var rest = response.body[...]
        for size in response.pieces where size > 0 {
            // Received content cannot be held back; that of scenarios is small.
            _ = receiver.receive(piece: Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return response.end == .complete ? .success(TransportEnd()) : .failure(failure(of: reply))
    }

    private static func failure(of reply: DirectReply) -> TransportError {
        let end =
            switch reply {
            case .none(let end): end
            case .response(let response): response.end
            }
        return end == .cancelled
            ? .requestCancelled
            : TransportError(.connectionLost, "The origin aborted the exchange.")
    }
}

/// An exchange without a socket.
private final class SocketlessExchange: TransportExchange {
    private let task: Task<Void, Never>

    init(task: Task<Void, Never>) { self.task = task }

    func resume() {}

    func cancel() {
        task.cancel()
    }
}

/// Field names that the HTTP library handles separately.
private enum FieldNames {
    static let host = "Host"
}

extension HTTPResponse {
    fileprivate init(_ head: DirectResponse.Head) {
        self.init(
            status: Status(code: head.status, reasonPhrase: head.reason),
            headerFields: head.isLatin1
                ? HTTPFields(latin1Lines: head.fields.map { ($0.name, $0.value) })
                : HTTPFields(lines: head.fields.map { ($0.name, $0.value) })
        )
    }
}

/// Direct access to the namespace, with tasks on a loop of the client's kind.
struct DirectLink: SubjectLink {
    let loop: ClientLoop
    let transport: any Transport
    private let origin: NamespaceOrigin

    init(to origin: NamespaceOrigin, over loop: ClientLoop) {
        self.loop = loop
        self.origin = origin
        transport = DirectTransport(loop: loop, origin: origin)
    }

    func activity(parked: Set<UInt16>) -> Activity {
        let exchanges = origin.namespace.directExchanges
        if !loop.activity().isBlocked { return .busy("the client's loop has work") }
        if exchanges.inFlight > exchanges.parked { return .busy("the origin is answering") }
        return .quiet(
            waiting: exchanges.parked == 0
                ? [] : [ActivityNote("\(exchanges.parked) exchanges wait at the origin")]
        )
    }
}
