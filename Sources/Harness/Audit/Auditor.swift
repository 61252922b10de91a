public import CacheClient
import CacheSemantics
public import Clocks
import HTTPTypes

/// Audits URLs: requests them, follows redirects, makes probes and judges the responses.
public struct Auditor: Sendable {
    private let settings: AuditSettings
    private let policy: AuditPolicy?
    private let client: AuditClient
    private let clock: any TimeSource
    private let queues: HostLimits

    /// Creates an auditor whose requests are sent by `transport`; its time begins now.
    ///
    /// The callers of a policy's rules are made up by further requests.
    public init(
        _ settings: AuditSettings,
        policy: AuditPolicy? = nil,
        transport: any Transport,
        clock: any TimeSource
    ) {
        self.settings = settings
        self.policy = policy
        self.clock = clock
        client = AuditClient(settings, transport: transport, clock: clock)
        queues = HostLimits(workersPerHost: settings.concurrentRequests)
    }

    /// Creates an auditor with its own connections; its time begins now.
    ///
    /// Throws if the connections cannot be set up.
    public init(
        _ settings: AuditSettings = AuditSettings(),
        policy: AuditPolicy? = nil,
        trust: TrustPolicy = TrustPolicy()
    ) throws(TransportError) {
        let transport = try CurlTransport(connectionsPerHost: settings.concurrentRequests, trust: trust)
        self.init(settings, policy: policy, transport: transport, clock: SystemClock())
    }

    /// Audits URLs, and judges the results by the policy and the baseline.
    ///
    /// Without sources, the URLs are those of the policy. `note` is called after each URL that was requested, and each
    /// whose probes are done. A URL that could not be audited is a result with a `failureReason`. After
    /// `AuditSettings.timeLimit`, nothing more is requested. Throws if the task is cancelled, which also cancels the
    /// requests that are being answered.
    public func report(
        on sources: AuditSources = AuditSources(),
        accepting baseline: AuditBaseline = AuditBaseline(),
        note: @escaping @Sendable (AuditProgress) -> Void = { _ in }
    ) async throws(CancellationError) -> AuditReport {
        var sources = sources
        if sources.isEmpty { sources.urls = policy?.targets ?? [] }
        var report = await audit(sources, note: note)
        if Task.isCancelled { throw CancellationError() }
        policy?.judge(&report, at: clock.now)
        baseline.judge(&report, isWhole: true)
        return report
    }

    /// Audits URLs without the policy's verdicts; `note` is called after each URL that was requested, and each whose
    /// probes are done.
    ///
    /// If the task is cancelled, the remaining requests are failures.
    package func audit(
        _ sources: AuditSources,
        note: @escaping @Sendable (AuditProgress) -> Void = { _ in }
    ) async -> AuditReport {
        let progress = ProgressNotes(client, note)
        var found = SitemapFetcher(settings, client)
        await found.read(sources.sitemaps, including: sources.includes)
        let trail = await follow(sources, found, progress)
        var results = trail.results
        results += await errors(of: results)
        results = results.map { judged($0) }
        results = await queues.map(results, host: { host(of: $0.url) }) { await validated(called($0)) }
        if settings.makesProbes {
            progress.begin("probed", of: results.count)
            results = await queues.map(results, host: { host(of: $0.url) }) { result in
                defer { progress.add(result.url) }
                return await probed(result)
            }
        }
        var report = AuditReport()
        report.urls = found.failures + results
        report.omitted = trail.scope.omitted
        report.requests = client.count
        return report
    }

    private func host(of url: String) -> String { client.request(url)?.authority ?? "" }

    // MARK: First requests

    /// Requests URLs, then where their redirects and links lead, until there are none.
    private func follow(
        _ sources: AuditSources,
        _ found: SitemapFetcher,
        _ progress: ProgressNotes
    ) async -> RedirectTrail {
        var scope = found.scope
        for url in sources.crawls { scope.addHost(of: url) }
        let asked = sources.urls.map { AuditTarget(url: $0) }
        let crawls = sources.crawls.map { AuditTarget(url: $0, isCrawled: true) }
        var trail = RedirectTrail(crawls + asked + found.targets, limit: settings.redirectLimit, scope: scope)
        while !trail.waiting.isEmpty {
            let targets = trail.take()
            progress.begin("requested", of: trail.known)
            let loaded = await queues.map(targets, host: { host(of: $0.url) }) { target in
                defer { progress.add(target.url) }
                return await load(target)
            }
            for (target, page) in zip(targets, loaded) {
                let isPrivate = client.isPrivate(host(of: target.url))
                trail.add(page.result, of: target, isPrivate: isPrivate)
                trail.add(links: page.links, of: target, isPrivate: isPrivate)
                trail.omitLinks(page.leftOutLinks)
            }
        }
        return trail
    }

    /// A result, and the links that a crawl follows.
    private struct LoadedPage: Sendable {
        var result: AuditedURL
        var links: [String] = []
        /// The number of links that were not read.
        var leftOutLinks = 0
    }

    private func load(_ target: AuditTarget) async -> LoadedPage {
        var page = LoadedPage(result: AuditedURL(target))
        guard let request = client.request(target.url) else {
            page.result.failure = .refused("it is not an absolute http or https URL")
            return page
        }
        switch await client.send(request, mayBePrivate: target.mayBePrivate) {
        case .success(let exchange):
            page.result.exchange = exchange.summarised
            if target.isCrawled {
                let links = PageLinks(exchange)
                (page.links, page.leftOutLinks) = (links.urls, links.leftOut)
            }
        case .failure(let failure): page.result.failure = failure
        }
        return page
    }

    /// Requests a page of each origin that does not exist.
    private func errors(of results: [AuditedURL]) async -> [AuditedURL] {
        guard settings.makesProbes else { return [] }
        let targets = Self.origins(of: results).map { origin in
            AuditTarget(
                url: NonexistentPage.url(of: origin, token: settings.token),
                mayBePrivate: client.isPrivate(host(of: origin))
            )
        }
        let loaded = await queues.map(targets, host: { host(of: $0.url) }) { await load($0).result }
        return loaded.filter { $0.failure == nil }.map { result in
            var result = result
            (result.isMadeUp, result.origin) = (true, "a nonexistent page, to see how errors are cached")
            return result
        }
    }

    /// Returns the origins of the pages that were found, each once, in order.
    private static func origins(of results: [AuditedURL]) -> [String] {
        var origins: [String] = []
        for result in results where result.exchange?.status == 200 {
            guard let request = result.exchange?.request else { continue }
            let origin = "\(request.scheme ?? "http")://\(request.authority ?? "")"
            if !origins.contains(origin) { origins.append(origin) }
        }
        return origins
    }

    // MARK: Judging

    private func judged(_ result: AuditedURL) -> AuditedURL { ExchangeReview(settings.caches).judged(result) }

    /// Makes the probes that apply to a result.
    private func probed(_ result: AuditedURL) async -> AuditedURL {
        guard var context = context(of: result) else { return result }
        var result = result
        var observations: [Observation] = []
        for probe in Probe.all {
            result.skipped.removeAll { $0.probe == probe.name }
            switch await outcome(of: probe, known: result.answers[probe.name], &context) {
            case .skipped(let reason): result.skipped.append(SkippedProbe(probe: probe.name, reason: reason))
            case .judged(let verdict):
                result.probes.append(probe.name)
                observations += verdict.observations
            }
            guard let answer = context.answers[probe.name],
                let storedUse = Probe.storedUse(context, answer)
            else { continue }
            observations.append(storedUse)
            context.violated.insert(storedUse.rule)
        }
        result.answers.merge(context.answers.mapValues(\.summarised)) { $1 }
        return ExchangeReview(settings.caches).adding(observations, to: result)
    }

    private enum ProbeOutcome {
        case judged(ProbeVerdict)
        /// It does not apply, its request failed, or its response permits no conclusion.
        case skipped(String)
    }

    /// Makes a probe, unless its answer is known because the policy has asked for it, and adds the answer to the context of the
    /// next ones.
    private func outcome(of probe: Probe, known: AuditedExchange?, _ context: inout ProbeContext) async
        -> ProbeOutcome
    {
        if known == nil, let reason = probe.skip(context) { return .skipped(reason) }
        let answer: Result<AuditedExchange, FetchFailure>
        if let known { answer = .success(known) } else { answer = await send(probe, context) }
        switch answer {
        case .failure(let failure): return .skipped("\(failure)")
        case .success(let answer):
            context.answers[probe.name] = answer
            let verdict = probe.judge(context, answer)
            context.violated.formUnion(verdict.observations.map(\.rule))
            // Only ranges are compared with bytes, those of the representation without content coding.
            if probe.name != "identity" { context.answers[probe.name] = answer.summarised }
            return verdict.inconclusive.map { .skipped($0) } ?? .judged(verdict)
        }
    }

    /// Returns the context of a result's probes; `nil` if none are made.
    private func context(of result: AuditedURL) -> ProbeContext? {
        guard !result.isMadeUp, let exchange = result.exchange, exchange.status == 200,
            let browser = result.outcome(.browser), let shared = result.outcome(.shared)
        else { return nil }
        return ProbeContext(first: exchange, shared: shared, browser: browser, token: settings.token)
    }

    private func send(_ probe: Probe, _ context: ProbeContext) async -> Result<AuditedExchange, FetchFailure>
    {
        let mayBePrivate = client.isPrivate(context.first.request.authority ?? "")
        return await client.send(probe.request(context), version: probe.version, mayBePrivate: mayBePrivate)
    }

    /// Makes the conditional request about which the policy has an expectation: before the probes, which the limits may end.
    private func validated(_ result: AuditedURL) async -> AuditedURL {
        guard let context = context(of: result), let rule = policy?.rule(for: result),
            rule.isAboutConditions
        else { return result }
        var result = result
        guard let probe = Probe.validations.first(where: { $0.skip(context) == nil }) else {
            result.skipped += Probe.validations.map {
                SkippedProbe(probe: $0.name, reason: $0.skip(context) ?? "")
            }
            return result
        }
        result.take(await send(probe, context), of: probe.name)
        return result
    }

    /// Sends the requests of the callers that the policy has made up for a URL.
    private func called(_ result: AuditedURL) async -> AuditedURL {
        guard let exchange = result.exchange, let rule = policy?.rule(for: result) else { return result }
        var result = result
        for (index, fields) in rule.callers.enumerated() {
            var request = exchange.request
            for field in fields { request.headerFields[field.name] = field.value }
            let mayBePrivate = client.isPrivate(request.authority ?? "")
            let answer = await client.send(request, mayBePrivate: mayBePrivate)
            result.take(answer, of: AuditedURL.callerName(index))
        }
        return result
    }
}

extension AuditedURL {
    /// Keeps the response to a request of this name, or the reason why there is none.
    fileprivate mutating func take(_ answer: Result<AuditedExchange, some Error>, of name: String) {
        switch answer {
        case .success(let answer): answers[name] = answer.summarised
        case .failure(let failure): skipped.append(SkippedProbe(probe: name, reason: "\(failure)"))
        }
    }
}

extension AuditedURL {
    fileprivate init(_ target: AuditTarget) {
        self.init(url: target.url)
        isFound = target.finder != nil
        origin = target.chain.last.map { "redirect from \($0)" } ?? target.finder ?? ""
    }
}
