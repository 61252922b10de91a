import Addresses
package import CacheClient
import CacheSemantics
package import Clocks
package import HTTPTypes
import Locks
import WireSyntax

/// Sends the requests of an audit: politely, within its limits, and again if the server asks to wait a little.
package final class AuditClient: Sendable {
    private let settings: AuditSettings
    private let fetcher: Fetcher
    private let limiter: AuditLimiter
    private let robots: RobotsCache
    /// Hosts that were asked for by the user, and have addresses that are not public.
    private let privateHosts = Lock<Set<String>>([])

    /// Creates a client; its time begins now.
    package init(_ settings: AuditSettings, transport: any Transport, clock: any TimeSource) {
        self.settings = settings
        fetcher = Fetcher(transport: transport, clock: clock, contentBytes: settings.contentLimit.bytes)
        limiter = AuditLimiter(settings, clock: clock)
        robots = RobotsCache()
    }

    /// The number of requests that were sent.
    package var count: Int { limiter.count }

    /// Returns a GET request for a URL as the audit sends it; `nil` unless it is an absolute http or https URL.
    package func request(_ url: String, _ fields: HTTPFields = [:]) -> HTTPRequest? {
        guard let parts = URLParts(url), parts.isHTTP else { return nil }
        var request = HTTPRequest(
            method: .get,
            scheme: parts.scheme,
            // Of one host, however it is written, the limits are counted together.
            authority: parts.authority.lowercased(),
            path: parts.target
        )
        request.headerFields[.userAgent] = settings.userAgent
        request.headerFields[.accept] = "*/*"
        request.headerFields[.acceptEncoding] = "gzip"
        for field in settings.fields + fields { request.headerFields[field.name] = field.value }
        return request
    }

    /// Sends a request in at most `version`, if robots.txt allows its URL; `mayBePrivate` is whether any address may be
    /// connected to.
    package func send(_ request: HTTPRequest, version: HTTPVersion = .http2, mayBePrivate: Bool) async
        -> Result<
            AuditedExchange, FetchFailure
        >
    {
        if settings.obeysRobots,
            let reason = await robots.refusal(
                of: request,
                asking: { [self] in
                    await robotsFile(of: request, mayBePrivate)
                }
            )
        {
            return .failure(.disallowed(reason))
        }
        return await admitted(request, version, mayBePrivate)
    }

    /// Whether a host has addresses that are not public, and was asked for by the user.
    package func isPrivate(_ host: String) -> Bool { privateHosts.withLock { $0.contains(host) } }

    private func admitted(_ request: HTTPRequest, _ version: HTTPVersion, _ mayBePrivate: Bool) async
        -> Result<
            AuditedExchange, FetchFailure
        >
    {
        var isRepeated = false
        while true {
            let host = request.authority ?? ""
            if Task.isCancelled { return .failure(.cancelled) }
            if let reason = await limiter.admit(host) { return .failure(.refused(reason)) }
            if Task.isCancelled { return .failure(.cancelled) }
            let result = await exchange(request, version, mayBePrivate)
            guard case .success(let exchange) = result, let wait = Self.retryAfter(exchange) else {
                return result
            }
            let reason =
                "\(host) answered \(exchange.status)\(isRepeated ? " again" : "") and asks to wait "
                + "\(wait.wholeSeconds) s"
            guard !isRepeated, wait <= min(settings.longestRetryAfter, limiter.timeLeft) else {
                limiter.close(host, because: reason)
                return .failure(.refused(reason))
            }
            isRepeated = true
            limiter.delay(host, by: wait)
        }
    }

    /// Sends a request: first only public addresses are allowed, which shows whether the host has any other.
    private func exchange(_ request: HTTPRequest, _ version: HTTPVersion, _ mayBePrivate: Bool) async
        -> Result<
            AuditedExchange, FetchFailure
        >
    {
        let host = request.authority ?? ""
        let time = min(settings.requestTimeout, max(limiter.timeLeft, .seconds(1)))
        if !isPrivate(host) {
            let result = await fetcher.fetch(
                request,
                version: version,
                addresses: AddressRule(),
                within: time
            )
            guard case .failure(.privateAddress) = result, mayBePrivate else { return result }
            privateHosts.withLock { _ = $0.insert(host) }
        }
        let rule = mayBePrivate ? nil : AddressRule()
        return await fetcher.fetch(request, version: version, addresses: rule, within: time)
    }

    /// Returns the time that a response asks to wait; `nil` if it does not ask (RFC 9110 §10.2.3).
    private static func retryAfter(_ exchange: AuditedExchange) -> Duration? {
        guard [429, 503].contains(exchange.status) else { return nil }
        let text = exchange.fields[.retryAfter] ?? ""
        if let seconds = DeltaSeconds(parsing: text.utf8) { return .seconds(seconds.seconds) }
        if let date = HTTPDate(parsing: text, now: exchange.responseTime) {
            return .seconds(max(0, date.seconds(since: exchange.responseTime)))
        }
        // A 429 asks to wait, even if it does not specify for how long.
        return exchange.status == 429 ? .seconds(1) : nil
    }

    /// Requests the robots.txt of a page's origin, and follows up to five redirects (RFC 9309 §2.3.1.2).
    private func robotsFile(of page: HTTPRequest, _ mayBePrivate: Bool) async -> RobotsCache.Answer {
        let file = "\(page.scheme ?? "http")://\(page.authority ?? "")/robots.txt"
        var (url, mayBePrivate) = (file, mayBePrivate)
        for _ in 0...5 {
            guard let request = request(url) else { break }
            switch await admitted(request, .http2, mayBePrivate) {
            // The page gets the same failure, which describes it better.
            case .failure(.privateAddress), .failure(.refused): return .rules(.empty)
            case .failure(.cancelled): return .cancelled
            case .failure(let failure):
                return .failing("\(file) cannot be read, which forbids all requests: \(failure)")
            case .success(let exchange):
                guard let next = exchange.redirectTarget else { return Self.rules(exchange, file) }
                (url, mayBePrivate) = (next, mayBePrivate && isPrivate(request.authority ?? ""))
            }
        }
        return .rules(.empty)
    }

    /// Returns the rules: without the file everything is allowed, while the server fails nothing is (RFC 9309 §2.3.1).
    private static func rules(_ exchange: AuditedExchange, _ file: String) -> RobotsCache.Answer {
        switch exchange.status {
        case 500...: return .failing("\(file) answered \(exchange.status), which forbids all requests")
        case 200:
            let text = String(decoding: exchange.decodedContent ?? [], as: UTF8.self)
            return .rules(RobotsFile(text, for: AuditSettings.robotName))
        default: return .rules(.empty)
        }
    }
}

/// The robots.txt of each origin, requested once.
private actor RobotsCache {
    enum Answer: Sendable {
        case rules(RobotsFile)
        case failing(String)
        /// The task that asked was cancelled.
        case cancelled
    }
    private var requests: [String: Task<Answer, Never>] = [:]

    /// Returns the reason why a request may not be sent; `nil` if it may.
    func refusal(of request: HTTPRequest, asking ask: @escaping @Sendable () async -> Answer) async -> String?
    {
        let origin = "\(request.scheme ?? "http")://\(request.authority ?? "")"
        while !Task.isCancelled {
            let task = requests[origin] ?? Task { await ask() }
            requests[origin] = task
            switch await withTaskCancellationHandler(
                operation: { await task.value },
                onCancel: { task.cancel() }
            ) {
            case .failing(let reason): return reason
            case .rules(let rules):
                return rules.allows(request.path ?? "/") ? nil : "\(origin)/robots.txt disallows the URL"
            // Another audit of the auditor may have been cancelled, not this one.
            case .cancelled: if requests[origin] == task { requests[origin] = nil }
            }
        }
        return nil
    }
}
