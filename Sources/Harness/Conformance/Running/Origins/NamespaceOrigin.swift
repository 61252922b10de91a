import Certificates
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import Scenarios

/// A namespace of the mock origin, reached over loopback or directly.
final class NamespaceOrigin: SubjectOrigin {
    let namespace: OriginNamespace
    let authority: String
    /// The same as `authority` with the second host name.
    let otherAuthority: String
    /// The identity in the server's certificate; `nil` if it uses plain HTTP.
    let identity: Identity?
    /// The server of this scenario alone, which can refuse connections; `nil` if the scenario shares one.
    let ownServer: MockServer?
    private let refuses = Lock(false)

    init(_ namespace: OriginNamespace, port: Int, identity: Identity? = nil, ownServer: MockServer? = nil) {
        self.namespace = namespace
        self.identity = identity
        let scheme = identity == nil ? "http" : "https"
        authority = "\(scheme)://127.0.0.1:\(port)"
        otherAuthority = "\(scheme)://localhost:\(port)"
        self.ownServer = ownServer
    }

    /// The port with its colon, as it follows a host name.
    var portText: String { String(authority.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }) }

    var base: String { namespace.base }

    var local: NamespaceOrigin? { self }

    /// Whether connections are currently refused.
    var isRefusing: Bool { refuses.withLock { $0 } }

    func record(after count: Int) -> [OriginExchange] {
        namespace.record().dropFirst(count).map { exchange in
            var recorded = OriginExchange(
                OriginObservation(exchange),
                answerFields: exchange.answerFields.map { ($0.name, $0.value) }
            )
            recorded.interimResponses = exchange.interimResponses.map { response in
                OriginExchange.Interim(
                    status: response.status,
                    fields: response.fields.map { ($0.name, $0.value) }
                )
            }
            return recorded
        }
    }

    var hasOpenExchanges: Bool { namespace.record().contains { !$0.isEnded } }

    /// Releases held responses; `nil` releases all.
    func release(label: String?) {
        namespace.release(label: label)
    }

    /// Uses the answer with this number, from 1, for all further requests.
    func use(answer: Int, label: String) {
        namespace.use(answer: answer, label: label)
    }

    /// Changes the network.
    func use(network: NetworkSchedule) {
        namespace.use(network: network)
    }

    /// Refuses connections, or accepts them again.
    func refuseConnections(_ refuses: Bool) throws(HarnessProblem) {
        self.refuses.withLock { $0 = refuses }
        guard let ownServer else { return }
        do throws(ServerError) {
            if refuses { try ownServer.stopListening() } else { try ownServer.startListening() }
        } catch {
            throw HarnessProblem(
                "the origin cannot \(refuses ? "refuse connections" : "listen again"): \(error)"
            )
        }
    }

    /// Closes the namespace and the server that only this scenario uses.
    func close() {
        namespace.close()
        ownServer?.stop()
    }
}

extension OriginObservation {
    /// Creates the parts of a recorded exchange that scenarios compare.
    init(_ exchange: RecordedExchange) {
        self.init(
            method: exchange.method,
            path: exchange.path,
            query: exchange.query,
            fields: exchange.fields.map { ($0.name, $0.value) },
            body: exchange.body
        )
        connection = exchange.connection
        isReusedConnection = exchange.isReused
        isAborted = exchange.isAborted
        answeredStatus = exchange.status
        arrivedAt = exchange.arrivedSeconds
        clientCertificate = exchange.request.tls?.clientSubject
    }
}
