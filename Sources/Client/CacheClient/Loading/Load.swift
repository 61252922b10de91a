import CacheSemantics
import CacheStorage
import HTTPTypes

/// One load by a caller, transaction by transaction.
struct Load: Sendable {
    let client: CachingClient
    let observer: (any LoadObserver)?
    private(set) var transaction: Transaction
    private(set) var finished: [TransactionMetrics] = []
    private(set) var redirects = 0
    private var isAnnounced = false
    /// The lookup for the next transaction, if it has already been made.
    var nextLook: PlannedLookup?

    /// Creates a load; `firstLook` is the lookup for its first transaction, if it has been made.
    init(
        _ transaction: Transaction,
        client: CachingClient,
        observer: (any LoadObserver)? = nil,
        firstLook: PlannedLookup? = nil
    ) {
        self.transaction = transaction
        self.client = client
        self.observer = observer
        nextLook = firstLook
    }

    /// Loads to the end; `first` is the answer of the first transaction, if it is known.
    nonisolated(nonsending) mutating func run(
        after first: TransactionResult? = nil
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
            url: transaction.fullURL,
            redirects: redirects,
            body: ResponseContent(reader)
        )
    }

    /// Follows redirects until an answer is not one to be followed.
    nonisolated(nonsending) private mutating func follow(
        _ first: TransactionResult? = nil
    ) async throws(ClientError) -> TransactionResult {
        announce()
        var known = first
        while true {
            let answer = if let known { known } else { try await answerTransaction() }
            known = nil
            guard let next = try nextTransaction(after: answer) else { return answer }
            await keepWithoutDelivering(answer)
            finished.append(answer.metrics)
            transaction = next
            redirects += 1
            observer?.observe(.willSend(transaction.request, redirectResponse: transaction.redirectResponse))
        }
    }

    private mutating func announce() {
        guard !isAnnounced else { return }
        isAnnounced = true
        if let hook = client.configuration.willSend, let changed = hook(transaction.request, nil) {
            transaction.request = changed
            transaction.addAcceptEncoding()
            client.configuration.normalize(&transaction)
        }
        observer?.observe(.willSend(transaction.request, redirectResponse: nil))
    }

    nonisolated(nonsending) private mutating func answerTransaction() async throws(ClientError)
        -> TransactionResult
    {
        let lookup = nextLook ?? client.look(transaction)
        nextLook = nil
        if let answer = try client.answerAtOnce(transaction, lookup) { return answer }
        return try await client.ask(transaction, lookup)
    }

    /// Whether the answer is that of the last transaction.
    func isLast(_ answer: TransactionResult) -> Bool {
        !client.configuration.followsRedirects || Redirect(answer.response) == nil
    }

    private func nextTransaction(after answer: TransactionResult) throws(ClientError) -> Transaction? {
        guard client.configuration.followsRedirects, let redirect = Redirect(answer.response) else {
            return nil
        }
        guard redirects < client.configuration.redirectLimit else {
            throw ClientError(code: -1007, url: transaction.fullURL, reason: "There are too many redirects.")
        }
        do throws(TransportError) {
            var next = try redirect.transaction(after: transaction)
            if let hook = client.configuration.willSend {
                guard let changed = hook(next.request, answer.response) else { return nil }
                next.request = changed
                next.addAcceptEncoding()
            }
            client.configuration.normalize(&next)
            return next
        } catch {
            throw ClientError(error, url: transaction.fullURL, findings: answer.findings)
        }
    }
}
