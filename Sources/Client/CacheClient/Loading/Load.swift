import CacheSemantics
import CacheStorage
import HTTPTypes

/// One load by a caller, hop after hop.
struct Load: Sendable {
    let client: CachingClient
    let observer: (any LoadObserver)?
    private(set) var hop: Hop
    private(set) var finished: [TransactionMetrics] = []
    private(set) var redirects = 0
    private var isAnnounced = false
    /// The lookup for the next hop, if it has already been made.
    var nextLook: PlannedLookup?

    /// Creates a load; `firstLook` is the lookup for its first hop, if it has been made.
    init(
        _ hop: Hop,
        client: CachingClient,
        observer: (any LoadObserver)? = nil,
        firstLook: PlannedLookup? = nil
    ) {
        self.hop = hop
        self.client = client
        self.observer = observer
        nextLook = firstLook
    }

    /// Loads to the end; `first` is the answer of the first hop, if it is known.
    nonisolated(nonsending) mutating func run(
        after first: HopAnswer? = nil
    ) async throws(ClientError) -> ClientResponse {
        var first = first
        while true {
            let answer = try await follow(first)
            first = nil
            if let response = try await deliver(answer) { return response }
        }
    }

    /// Loads up to the head.
    nonisolated(nonsending) mutating func open() async throws(ClientError) -> StreamingResponse {
        let answer = try await follow()
        observer?.observe(.response(answer.response, answer.source))
        // RFC 9211 §2.5: with the head, the status states what is intended for the content.
        if answer.pending != nil {
            answer.status.isStored = client.mayStore(answer)
            client.noteSize(answer.contentLength, of: answer)
        }
        let reader = ContentReader(answer, load: self)
        return StreamingResponse(
            answer,
            url: hop.fullURL,
            redirects: redirects,
            body: ResponseContent(reader)
        )
    }

    /// Follows redirects until an answer is not one to be followed.
    nonisolated(nonsending) private mutating func follow(
        _ first: HopAnswer? = nil
    ) async throws(ClientError) -> HopAnswer {
        announce()
        var known = first
        while true {
            let answer = if let known { known } else { try await answerHop() }
            known = nil
            guard let next = try nextHop(after: answer) else { return answer }
            await keepWithoutDelivering(answer)
            finished.append(answer.metrics)
            hop = next
            redirects += 1
            observer?.observe(.willSend(hop.request, redirectResponse: hop.redirectResponse))
        }
    }

    private mutating func announce() {
        guard !isAnnounced else { return }
        isAnnounced = true
        if let hook = client.configuration.willSend, let changed = hook(hop.request, nil) {
            hop.request = changed
            hop.addAcceptEncoding()
            client.configuration.normalize(&hop)
        }
        observer?.observe(.willSend(hop.request, redirectResponse: nil))
    }

    nonisolated(nonsending) private mutating func answerHop() async throws(ClientError) -> HopAnswer {
        let lookup = nextLook ?? client.look(hop)
        nextLook = nil
        if let answer = try client.answerAtOnce(hop, lookup) { return answer }
        return try await client.ask(hop, lookup)
    }

    /// Whether the answer is that of the last hop.
    func isLast(_ answer: HopAnswer) -> Bool {
        !client.configuration.followsRedirects || Redirect(answer.response) == nil
    }

    private func nextHop(after answer: HopAnswer) throws(ClientError) -> Hop? {
        guard client.configuration.followsRedirects, let redirect = Redirect(answer.response) else {
            return nil
        }
        guard redirects < client.configuration.redirectLimit else {
            throw ClientError(code: -1007, url: hop.fullURL, reason: "There are too many redirects.")
        }
        do throws(TransportError) {
            var next = try redirect.hop(after: hop)
            if let hook = client.configuration.willSend {
                guard let changed = hook(next.request, answer.response) else { return nil }
                next.request = changed
                next.addAcceptEncoding()
            }
            client.configuration.normalize(&next)
            return next
        } catch {
            throw ClientError(error, url: hop.fullURL, findings: answer.findings)
        }
    }
}
