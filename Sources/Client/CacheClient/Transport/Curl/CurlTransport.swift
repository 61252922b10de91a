/// A transport over libcurl: HTTP/1.1 with kept-alive connections, and HTTP/2 if TLS negotiates it.
public final class CurlTransport: Transport {
    /// The loop that carries the exchanges.
    public let loop: ClientLoop
    /// Whether a request is sent again, once and on a new connection, if a reused one was closed without an answer.
    ///
    /// This applies to GET, HEAD, OPTIONS, TRACE and QUERY, and to PUT and DELETE without a condition, but to no
    /// request whose content is streamed (RFC 9110 §9.2.2). `TransportStart` and `TransportEnd` show that a request
    /// was sent twice.
    public var resendsOnDeadConnection: Bool { rules.resendsOnDeadConnection }

    /// The trust policy over TLS.
    public var trust: TrustPolicy { rules.trust }

    /// The rules for all its exchanges; an object, because each exchange refers to it.
    final class Rules: Sendable {
        /// The core of the loop that carries them.
        let core: LoopCore
        let trust: TrustPolicy
        let resendsOnDeadConnection: Bool

        init(core: LoopCore, trust: TrustPolicy, resendsOnDeadConnection: Bool) {
            self.core = core
            self.trust = trust
            self.resendsOnDeadConnection = resendsOnDeadConnection
        }
    }
    private let rules: Rules

    /// Creates a transport on `loop` that uses the loop's connections, except those of another trust policy.
    public init(loop: ClientLoop, trust: TrustPolicy = TrustPolicy(), resendsOnDeadConnection: Bool = true) {
        self.loop = loop
        rules = Rules(
            core: loop.core,
            trust: trust,
            resendsOnDeadConnection: resendsOnDeadConnection
        )
    }

    /// Creates a transport with its own loop.
    public convenience init(
        connectionsPerHost: Int = 6,
        trust: TrustPolicy = TrustPolicy()
    ) throws(TransportError) {
        self.init(loop: try ClientLoop(connectionsPerHost: connectionsPerHost), trust: trust)
    }

    /// The loop, which runs the tasks that prefer it.
    public var executor: (any TaskExecutor)? { loop }

    /// Starts one exchange.
    public func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        do throws(TransportError) {
            return begin(request, receiver: receiver, upload: try source(of: request.body))
        } catch {
            receiver.receive(end: .failure(error))
            return EndedExchange()
        }
    }

    private func begin(
        _ request: TransportRequest,
        receiver: any TransportReceiver,
        upload: (any UploadSource)?
    ) -> CurlExchange {
        let exchange = CurlExchange(request.head, receiver: receiver, upload: upload, rules: rules)
        exchange.addresses = request.addresses
        exchange.connectTimeout = request.connectTimeout
        exchange.newestVersion = request.newestVersion
        if case .stream(let stream) = request.body, let source = upload as? StreamSource {
            source.prepare(stream, executor: loop) { [core = rules.core] in
                core.post(.resumeSending(exchange))
            }
        }
        rules.core.start(exchange)
        return exchange
    }

    private func source(of body: RequestBody?) throws(TransportError) -> (any UploadSource)? {
        switch body {
        case nil: nil
        case .bytes(let bytes): BytesSource(bytes)
        case .file(let path): try FileSource(path: path)
        case .stream(let stream): StreamSource(stream)
        }
    }
}

extension CurlTransport: UnverifiedTransport {
    /// Returns a transport on the same loop with separate connections, on which neither chain nor host name is
    /// verified.
    public func acceptingAnyCertificate() -> any Transport {
        var lenient = trust
        lenient.verifiesChain = false
        lenient.checksHostName = false
        lenient.publicKeyPins = []
        lenient.certificatePins = []
        return CurlTransport(loop: loop, trust: lenient, resendsOnDeadConnection: resendsOnDeadConnection)
    }
}
