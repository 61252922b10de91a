/// The result that reached the client of the cache.
public enum Delivery: Equatable, Sendable {
    case response(OracleResponse)
    /// The cache reported an error in place of a response.
    case failure
}

/// An executable reading of RFC 9111 and of the conditional and range rules of RFC 9110.
///
/// The oracle follows the events of one cache: requests that arrive, requests that the cache forwards,
/// their responses, and what the cache delivers. It keeps every response that the cache may hold, in
/// every state that the RFC leaves open, and objects to what no permitted state explains. It never says
/// what a cache should have stored: caching is optional (RFC 9111 §2).
public struct CacheOracle {
    /// A request whose response was not yet delivered.
    private struct Arrival {
        var request: OracleRequest
        /// When it arrived and when each answer came since.
        var times: [Int]
        /// The last of these.
        var now: Int { times[times.count - 1] }
        /// The states that the cache may have held when it arrived, and at any time since.
        var initial: [StoredState]
        var snapshot: [StoredState]
        /// Its answered exchanges, in the order of the answers.
        var answered: [Exchange] = []
        /// The states that its latest answer updated or completed.
        var updated: [StoredState] = []
        /// Whether, since it arrived, a safe request for its target failed or its response was rejected.
        var sawFailure = false
        /// The same, or it was answered with an error.
        var sawError = false
    }

    private let rules: RenderingRules
    private let updating: UpdatingRules
    private var pool: [StoredState] = []
    /// Every state that ever was, to explain what was reused.
    private var past: [StoredState] = []
    private var arrivals: [Int: Arrival] = [:]
    private var causes: [Int: OracleRequest] = [:]
    private var exchanges: [Int: (exchange: Exchange, cause: Int)] = [:]
    private var position = 0
    /// The position of the latest response to an unsafe request that succeeded, for each target.
    private var invalidations: [String: Int] = [:]
    /// The same for what it may invalidate as well.
    private var changes: [String: Int] = [:]
    /// The targets of unsafe requests without a response.
    private var lost: Set<String> = []

    private var reuse: ReuseRules { rules.reuse }

    /// Creates it.
    public init(_ configuration: OracleConfiguration) {
        rules = RenderingRules(reuse: ReuseRules(configuration: configuration))
        updating = UpdatingRules(reuse: rules.reuse)
    }

    // MARK: Events

    /// Records that a request reaches the cache.
    public mutating func arrive(_ id: Int, _ request: OracleRequest, at now: Int) {
        position += 1
        causes[id] = request
        arrivals[id] = Arrival(request: request, times: [now], initial: pool, snapshot: pool)
    }

    /// Records that the cache forwards a request; returns the reasons why it must not (RFC 9111 §4.3.1).
    public mutating func forward(_ number: Int, cause: Int, _ request: OracleRequest, at now: Int) -> [String]
    {
        position += 1
        guard let causing = causes[cause] else { return ["RFC 9110 §7.6: a request without a cause"] }
        exchanges[number] = (
            Exchange(
                number: number,
                cause: causing,
                forwarded: request,
                requestTime: now,
                position: position,
                known: pool
            ),
            cause
        )
        let known = pool + (arrivals[cause]?.snapshot ?? [])
        return ForwardingRules(reuse: reuse).objections(request, causing, known)
    }

    /// Records that the origin answers a forwarded request, with `nil` if it fails to.
    ///
    /// `held` is whether a cache that does not wait for it would already have delivered.
    public mutating func answer(_ number: Int, _ response: OracleResponse?, at now: Int, held: Bool = false) {
        position += 1
        guard case (var exchange, let cause)? = exchanges[number] else { return }
        (exchange.response, exchange.isAwaited) = (response, held)
        let isLost = !exchange.cause.isSafe && response == nil
        if isLost { lost.insert(exchange.cause.target) }
        pool = pool.flatMap { state in
            lost.contains(state.request.target) && (isLost || !state.isInvalid)
                ? alternatives(state) : [state]
        }
        invalidate(after: exchange)
        let updated = response == nil || exchange.isRejected ? [] : apply(exchange, at: now)
        pool = [].merged(with: pool.filter { !reuse.isKeptOut($0) })
        for index in pool.indices where pool[index].exchange == number {
            pool[index].updatePosition = position
        }
        past = past.merged(with: pool)
        for (id, var arrival) in arrivals {
            arrival.times.append(now)
            arrival.snapshot = arrival.snapshot.merged(with: pool)
            if exchange.cause.isSafe, exchange.cause.target == arrival.request.target {
                arrival.sawFailure = arrival.sawFailure || response == nil || exchange.isRejected
                arrival.sawError = arrival.sawError || response?.isError ?? true
            }
            arrivals[id] = arrival
        }
        arrivals[cause]?.answered.append(exchange)
        arrivals[cause]?.updated = [].merged(with: updated)
    }

    /// Applies a response to what is stored; returns the states that it validated or completed
    /// (RFC 9111 §3, §4.3.3).
    private mutating func apply(_ exchange: Exchange, at now: Int) -> [StoredState] {
        guard exchange.response?.status != 304 else {
            let result = updating.freshen(pool, with: exchange, at: now)
            pool = kept(result.pool, after: exchange)
            // What was validated may answer the request as it was when that was sent, regardless of what has arrived
            // since (§4.3.3).
            return result.updated + updating.freshen(exchange.known, with: exchange, at: now).updated
        }
        if exchange.cause.method == "HEAD", exchange.response?.status == 200 {
            pool = kept(updating.freshenByHead(pool, with: exchange, at: now), after: exchange)
        }
        let combining = CombiningRules(updating: updating)
        let part = reuse.storing.unconditionalState(of: exchange, at: now, arrival: position)
        let isPart = exchange.response?.status == 206
        let bases = pool + exchange.known.filter { !pool.contains($0) }.map(asOfNow)
        let combined =
            part.map { isPart ? combining.combinations($0, with: bases, exchange, at: now) : [] } ?? []
        if let new = reuse.storing.state(of: exchange, at: now, arrival: position) {
            store(new, combined, exchange)
        } else {
            // What a response shows to be outdated may be removed, although the response itself is not stored.
            pool = pool.map { state in
                reuse.selectionObjections(state, exchange.cause).isEmpty ? updating.uncertain(state) : state
            }
            // §3.5 asks for a directive of the combination, which has the fields of the stored part as updated (§3.4).
            pool += combined.filter { state in
                let response = OracleResponse(status: 200, fields: state.fields, content: [])
                return reuse.storing.objections(exchange.cause, response).isEmpty
            }.flatMap { updating.withOtherRequest($0, exchange.cause) }
        }
        return combined
    }

    /// Invalidates what an unsafe request may have changed, whether or not its response is used (RFC 9111 §4.4).
    private mutating func invalidate(after exchange: Exchange) {
        pool = updating.invalidate(pool, after: exchange, at: position)
        guard exchange.invalidates else { return }
        for target in exchange.affected { changes[target] = position }
        invalidations[exchange.cause.target] = position
    }

    /// Returns a state of the past with the invalidation that it has had since (RFC 9111 §4.4).
    private func asOfNow(_ state: StoredState) -> StoredState {
        var state = state
        state.invalidation = max(state.invalidation, invalidations[state.request.target] ?? 0)
        return state
    }

    /// Returns the states that may be stored after an update: no part of the response to a request with no-store (RFC
    /// 9111 §5.2.1.5), nor, in a shared cache, of one to a request with Authorization unless a directive of the result
    /// allows sharing (RFC 9111 §3.5).
    private func kept(_ updated: [StoredState], after exchange: Exchange) -> [StoredState] {
        let isForOneUser = reuse.configuration.isShared && exchange.cause.fields["authorization"] != nil
        let mayKeep = !exchange.cause.directives.has("no-store")
        guard mayKeep || exchange.cause.method == "HEAD" else { return pool }
        let directives = Directives(exchange.response?.fields["cache-control"])
        if mayKeep, !isForOneUser || reuse.storing.allowsSharing(directives) { return updated }
        let allowed = updated.filter { state in
            state.exchange != exchange.number || mayKeep && reuse.storing.allowsSharing(state.directives)
        }
        return (pool + allowed).map(updating.uncertain)
    }

    /// Adds a response to what is stored (RFC 9111 §3).
    ///
    /// That a reload replaces what it selects, unless both were under way together, is decided policy.
    private mutating func store(_ new: StoredState, _ combined: [StoredState], _ exchange: Exchange) {
        var new = new
        // §4: of two that the same requests select the one with the earlier Date is of no use; with one Date either may be.
        let rivals = pool.filter { reuse.selectionObjections($0, exchange.cause).isEmpty }
        let isOlder = rivals.contains { ($0.date, $0.arrival) > (new.date, exchange.position) }
        new.isCertain = new.isCertain && reuse.longestLifetime(new) > 0 && !isOlder
        let wishes = exchange.cause.directives
        // A 416 says nothing of the representation.
        let isReload =
            (wishes.has("no-cache") || wishes.seconds("max-age") == 0) && exchange.response?.status != 416
        let replaces =
            isReload && exchange.cause.method == "GET" && exchange.response?.isError == false
            && new.isComplete && new.status == exchange.response?.status
        pool = pool.compactMap { state in
            guard reuse.selectionObjections(state, exchange.cause).isEmpty else { return state }
            // What was updated meanwhile arrived together with the reload.
            if replaces, state.updatePosition < exchange.position { return nil }
            var state = state
            state.isCertain = false
            return state
        }
        pool += combined.flatMap { updating.withOtherRequest($0, exchange.cause) }
        // An unsafe request without a response may be carried out at any time, so that its target may become invalid.
        let isChanged = changes[new.request.target, default: 0] > exchange.position
        pool += isChanged || lost.contains(exchange.cause.target) ? alternatives(new) : [new]
    }

    /// A response whose request was under way when an unsafe request succeeded may be what that has changed: the cache may
    /// store it, store it as invalid, or not store it (RFC 9111 §4.4).
    private func alternatives(_ new: StoredState) -> [StoredState] {
        var invalid = updating.uncertain(new)
        invalid.invalidation = position
        return [updating.uncertain(new), invalid]
    }

    // MARK: Delivery

    /// Records that the cache delivers; returns the reasons why it must not.
    public mutating func deliver(_ id: Int, _ delivery: Delivery, at now: Int) -> [String] {
        position += 1
        guard var arrival = arrivals.removeValue(forKey: id) else { return ["a second response"] }
        arrival.times.append(now)
        guard case .response(let delivered) = delivery,
            ![502, 504].contains(delivered.status) || delivered.fields["x-exchange"] != nil
        else { return failureObjections(arrival) }
        if arrival.request.isSafe, fromStore(delivered, arrival) {
            return mostRecentObjections(delivered, arrival)
        }
        guard let last = arrival.answered.last else {
            // §4: requests that were collapsed with one whose exchange failed share its outcome.
            return afterError(delivered, nil, arrival) ? [] : explanation(delivered, arrival)
        }
        if last.isRejected { return ["policy: a rejected \(last.response?.status ?? 0) was used"] }
        if let response = last.response, isOwn(delivered, response, last, arrival) { return [] }
        if afterValidation(delivered, arrival) || afterError(delivered, last, arrival) { return [] }
        return explanation(delivered, arrival)
    }

    /// Whether a generated error is permitted: only-if-cached without a response (RFC 9111 §5.2.1.7), or
    /// an origin that failed (RFC 9111 §5.2.2.2, RFC 9110 §15.6.3, §15.6.5); for an unsafe request only after it has been
    /// forwarded (RFC 9111 §4).
    private func failureObjections(_ arrival: Arrival) -> [String] {
        let hasFailed = arrival.answered.last.map { $0.isRejected || $0.response?.isError ?? true } ?? false
        let isLone = arrival.request.directives.has("only-if-cached")
        let isSpared = arrival.request.isSafe && (isLone || arrival.sawFailure)
        return hasFailed || isSpared ? [] : ["RFC 9110 §15.6: an error although the origin answered"]
    }

    /// Whether a stored response explains what was delivered, without validation (RFC 9111 §4).
    ///
    /// Once the origin gave this request a full response, only a response that is revalidated in the
    /// background may be used (RFC 9111 §4.3.3, RFC 5861 §3).
    private func fromStore(_ delivered: OracleResponse, _ arrival: Arrival) -> Bool {
        isExplained(delivered, arrival) { state, time in
            let isSpared =
                arrival.answered.isEmpty
                || !arrival.answered.contains(where: \.isAwaited)
                    && state.directives.has("stale-while-revalidate") && reuse.staleness(state, at: time) >= 0
            return isSpared && reuse.objections(state, arrival.request, at: time).isEmpty
        }
    }

    /// Whether a stored response that may be used was delivered, and may be used at the age that its Age states
    /// (RFC 9111 §4.2, §5.1).
    private func isExplained(
        _ delivered: OracleResponse,
        _ arrival: Arrival,
        _ mayUse: (StoredState, Int) -> Bool
    ) -> Bool {
        let age = delivered.fields["age"].flatMap(Int.init) ?? 0
        return arrival.snapshot.contains { state in
            arrival.times.contains { time in
                // It could not be chosen before it was there; if it seems to come later, the clock has been set back.
                (time >= state.responseTime || arrival.now < state.responseTime)
                    && mayUse(state, time + max(0, age - reuse.age(state, at: time)))
                    && rules.objections(delivered, state, arrival.request).isEmpty
                    && rules.ageObjections(delivered, state, at: time).isEmpty
            }
        }
    }

    /// Whether a more recent suitable response was passed over (RFC 9111 §4).
    ///
    /// One without Vary does not count against one with Vary (RFC 9111 §4.1), nor one that the clock has been set back behind,
    /// because its age is unknown (RFC 9111 §4.2.3).
    private func mostRecentObjections(_ delivered: OracleResponse, _ arrival: Arrival) -> [String] {
        let time = arrival.times[0]
        let used = arrival.snapshot.filter { state in
            ["x-exchange", "vary"].allSatisfy { state.fields[$0] == delivered.fields[$0] }
        }
        guard let most = used.max(by: { $0.date < $1.date }) else { return [] }
        let better = arrival.initial.first { state in
            state.isCertain && pool.contains { $0.isCertain && $0.isSame(as: state) }
                && state.date > most.date && state.responseTime <= time
                && state.exchange != most.exchange
                && (state.fields["vary"] != nil || most.fields["vary"] == nil)
                && reuse.isSuitableAtAnyAge(state, arrival.request, at: time)
        }
        return better.map { ["§4: response \($0.exchange) is suitable and more recent by Date"] } ?? []
    }

    /// Whether the response of its own exchange was delivered: as it came, or as the answer to the
    /// conditions and the range of the client (RFC 9111 §4.3.3, RFC 9110 §13.2.2).
    private func isOwn(
        _ delivered: OracleResponse,
        _ response: OracleResponse,
        _ exchange: Exchange,
        _ arrival: Arrival
    ) -> Bool {
        let passes = passes(response.status, exchange)
        if var state = reuse.storing.unconditionalState(of: exchange, at: arrival.times[0], arrival: 0),
            passes || response.status == 206
        {
            state.excluded = []
            if rules.objections(delivered, state, arrival.request).isEmpty { return true }
        }
        let isSame = delivered.status == response.status && delivered.content == response.content
        // A 206 to the If-Range of the cache lacks what the client, if it sent none, has to get (RFC 9110 §15.3.7).
        let mayAdd = exchange.passesOn("if-range") ? Set(["date"]) : RenderingRules.known.union(["date"])
        return passes && isSame
            && (response.fields.names + delivered.fields.names).allSatisfy { name in
                RenderingRules.managed.contains(name) && name != "content-range"
                    || delivered.fields[name] == response.fields[name]
                    || response.fields[name] == nil && mayAdd.contains(name)
            }
    }

    /// Whether a response may be passed on as it came: a 206 or 416 only where the client asked for the same range, with the
    /// same If-Range or none, which the one that was sent has not changed then (RFC 9111 §3.3, RFC 9110 §13.1.5); a 304 only
    /// for a condition of the client (RFC 9111 §4.3.2).
    private func passes(_ status: Int, _ exchange: Exchange) -> Bool {
        if [206, 416].contains(status) {
            guard exchange.cause.fields["range"] != nil, exchange.passesOn("range") else { return false }
            return exchange.cause.fields["if-range"] == nil || exchange.passesOn("if-range")
        }
        guard status == 304 else { return true }
        if exchange.passesOn("if-none-match", "if-modified-since") { return exchange.cause.hasPrecondition }
        // Beside If-None-Match the date of the client is not compared (RFC 9110 §13.1.3).
        guard let list = exchange.cause.fields["if-none-match"] else { return false }
        let own = EntityTag.list(list)
        guard let tag = EntityTag(exchange.response?.fields["etag"]) else {
            // Without a tag it answers what was asked: the condition of the client, if no tag was added to it.
            let asked = exchange.forwarded.fields["if-none-match"]
            return asked != nil && EntityTag.list(asked).allSatisfy { own.contains(where: $0.weakly) }
        }
        return list == "*" || own.contains { $0.weakly(tag) }
    }

    /// Whether a response that this exchange validated or completed was delivered (RFC 9111 §4.3.3, §3.4).
    ///
    /// The requester receives the fields of a 304 that are kept out of the store.
    private func afterValidation(_ delivered: OracleResponse, _ arrival: Arrival) -> Bool {
        let sent = arrival.answered.last?.response?.fields ?? FieldSection()
        return arrival.updated.contains { state in
            var stored = delivered
            for name in state.excluded where delivered.fields[name] == sent[name] {
                stored.fields[name] = nil
            }
            let isAged = arrival.times.contains { rules.ageObjections(delivered, state, at: $0).isEmpty }
            return (isAged || delivered.fields["age"] == nil)
                && [stored, delivered].contains { rules.objections($0, state, arrival.request).isEmpty }
        }
    }

    /// Whether a stored response may stand in for an error (RFC 9111 §4.2.4, RFC 5861 §4).
    private func afterError(_ delivered: OracleResponse, _ last: Exchange?, _ arrival: Arrival) -> Bool {
        let isError = last.map { $0.response?.isError ?? true } ?? arrival.sawError
        guard isError, arrival.request.isSafe else { return false }
        // §4.3.3: an error may count as no response while a cache attempts to validate.
        let isLost = last.map { $0.response == nil || $0.forwarded.isConditional } ?? true
        return isExplained(delivered, arrival) {
            reuse.errorObjections($0, arrival.request, lost: isLost, at: $1).isEmpty
        }
    }

    /// Returns the reasons why a delivery has no explanation: the objections to the response that it appears to be.
    private func explanation(_ delivered: OracleResponse, _ arrival: Arrival) -> [String] {
        let name = delivered.fields["x-exchange"]
        let candidates = (arrival.snapshot + past).filter { "\($0.exchange)" == name }
        let reasons = candidates.map { state in
            let isValidated = arrival.updated.contains(state)
            return (isValidated ? [] : reuse.objections(state, arrival.request, at: arrival.now))
                + rules.objections(delivered, state, arrival.request)
                + rules.ageObjections(delivered, state, at: arrival.now)
        }
        let fewest = reasons.min { $0.count < $1.count }
        let status = arrival.answered.last?.response.map { "the origin answered \($0.status)" }
        let context = status ?? (arrival.answered.isEmpty ? "nothing was forwarded" : "the origin failed")
        return fewest.map { $0.isEmpty ? ["§4.3.3: \(context), another response was used"] : $0 + [context] }
            ?? ["§4: \(delivered.status) comes from no stored response; \(context)"]
    }
}
