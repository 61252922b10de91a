import Conformance

/// A cache with the engine's rules: the engine decides, `MemoryEngineStore` stores, and this sends what it is told to.
actor EngineCache: Subject {
    private let context: SubjectContext
    private let engine: CacheEngine
    private var store = MemoryEngineStore()
    private var validations: [Int: Task<Void, Never>] = [:]
    private var lastValidation = 0

    init(_ context: SubjectContext) {
        self.context = context
        engine = CacheEngine(kind: context.kind)
    }

    func respond(to request: SubjectRequest) async throws -> SubjectResponse {
        let head = HTTPRequest(request)
        let content = request.body ?? []
        let policy = request.policy ?? .useProtocolCachePolicy
        let step = engine.begin(head, content: content, policy: policy, in: &store, at: now)
        return try await carryOut(step, content)
    }

    func removeAll() { store.removeAll() }

    func finishBackgroundWork() async {
        for task in validations.values { await task.value }
    }

    /// Carries out steps until there is a response.
    private func carryOut(_ first: CacheStep, _ content: [UInt8]) async throws -> SubjectResponse {
        var step = first
        while true {
            switch step {
            case .respond(let reply): return try SubjectResponse(reply)
            case .respondAndValidate(let reply, let exchange):
                validate(exchange, content)
                return try SubjectResponse(reply)
            case .send(let exchange): step = await send(exchange, content)
            case .fail(let failure): throw failure
            }
        }
    }

    /// Asks the origin, and has the engine finish the exchange without a suspension in between.
    private func send(_ exchange: CacheExchange, _ content: [UInt8]) async -> CacheStep {
        let reply: UpstreamReply
        do throws(SubjectError) {
            let response = try await context.send(SubjectRequest(exchange.request, content))
            let head = HTTPResponse(status: .init(code: response.status), headerFields: response.headerFields)
            reply = .response(head, content: response.body, isComplete: true)
        } catch {
            reply = .failure
        }
        return engine.finish(exchange, with: reply, in: &store, at: now)
    }

    private func validate(_ exchange: CacheExchange, _ content: [UInt8]) {
        lastValidation += 1
        let number = lastValidation
        validations[number] = Task {
            // A validation that the origin refuses changes nothing for the caller, who has a response already.
            if case .send(let again) = await send(exchange, content) { _ = await send(again, content) }
            validations[number] = nil
        }
    }

    private var now: HTTPDate { context.clock.now }
}

extension HTTPRequest {
    /// The request in the engine's form.
    fileprivate init(_ request: SubjectRequest) {
        let parts = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        self.init(
            method: Method(request.method) ?? .get,
            scheme: String(parts[0].dropLast()),
            authority: parts.count > 2 ? String(parts[2]) : "",
            path: parts.count > 3 ? "/" + parts[3].prefix { $0 != "#" } : "/",
            headerFields: request.headerFields
        )
    }
}

extension SubjectRequest {
    /// A request of the engine in the form that is sent.
    fileprivate init(_ request: HTTPRequest, _ content: [UInt8]) {
        let url = "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
        self.init(method: request.method.rawValue, url: url, body: content.isEmpty ? nil : content)
        headerFields = request.headerFields
    }
}

extension SubjectResponse {
    /// The caller's response; throws if its content broke off.
    fileprivate init(_ reply: CacheReply) throws {
        guard reply.isComplete else { throw CacheFailure.unanswered }
        self.init(status: reply.head.status.code, fields: reply.head.headerFields, body: reply.content)
    }
}
