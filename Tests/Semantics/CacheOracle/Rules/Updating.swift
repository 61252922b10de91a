/// Updating and invalidating stored responses (RFC 9111 §3.2, §4.3.4, §4.3.5, §4.4).
struct UpdatingRules {
    let reuse: ReuseRules

    /// The result of a response that updates stored responses.
    struct Result {
        /// The states that the cache may hold afterwards.
        var pool: [StoredState] = []
        /// The updated states, any of which may answer the request.
        var updated: [StoredState] = []
    }

    /// Applies a 304 to the stored responses (RFC 9111 §4.3.4).
    func freshen(_ pool: [StoredState], with exchange: Exchange, at now: Int) -> Result {
        let initial = pool.filter { reuse.selectionObjections($0, exchange.cause).isEmpty }
        let identification = identified(among: initial, by: exchange)
        let isStrong = EntityTag(exchange.response?.fields["etag"])?.isWeak == false
        var result = Result()
        for state in pool {
            if initial.contains(state), let isIdentified = identification(state) {
                // What was stored after the request was sent could not be chosen for it then.
                let isDefinite = isIdentified && (isStrong || state.arrival < exchange.position)
                var updated = update(state, from: exchange, at: now)
                // With another Vary it may be stored in the place of another variant.
                updated.isCertain = state.isCertain && isDefinite && updated.vary == state.vary
                result.updated.append(updated)
                result.pool += withOtherRequest(updated, exchange.cause)
                // What has been invalidated since the request was sent need not be updated (§4.4).
                result.pool += !isDefinite || state.invalidation > exchange.position ? [uncertain(state)] : []
            } else if let alias = alias(of: state, for: exchange, at: now) {
                result.updated.append(alias)
                result.pool += withOtherRequest(alias, exchange.cause)
                result.pool += [uncertain(state), update(uncertain(state), from: exchange, at: now)]
            } else {
                // What the request selects and the origin does not name is outdated.
                result.pool.append(initial.contains(state) ? uncertain(state) : state)
            }
        }
        return result.updated.isEmpty ? Result(pool: pool) : result
    }

    /// Returns an updated response, and the same as a response to the request that updated it: a 304, and a 200 to HEAD
    /// with the same strong entity tag, have the meaning of a 200 with the stored content to that request (RFC 9110
    /// §8.8.1, §9.3.2, §15.4.5), so the selecting fields (RFC 9111 §4.1) and the credentials (RFC 9111 §3.5) may be those
    /// of either.
    func withOtherRequest(_ updated: StoredState, _ cause: OracleRequest) -> [StoredState] {
        var other = updated
        other.request.fields["authorization"] = cause.fields["authorization"]
        for name in updated.vary { other.request.fields[name] = cause.fields[name] }
        return other == updated ? [updated] : [uncertain(updated), uncertain(other)]
    }

    func uncertain(_ state: StoredState) -> StoredState {
        var state = state
        state.isCertain = false
        return state
    }

    /// Returns the states that a 304 identifies: for each, whether it is certainly identified, or `nil` if it is not
    /// (the three filters of RFC 9111 §4.3.4).
    ///
    /// A Last-Modified date counts where there is no tag, as weak or strong (RFC 9110 §8.8.2.2).
    private func identified(among initial: [StoredState], by exchange: Exchange) -> (StoredState) -> Bool? {
        let fields = exchange.response?.fields ?? FieldSection()
        // Without a strong tag a part need not be among those that could have been chosen, if it does not have the range (§3.3).
        let isOpen = { reuse.isOutside($0, exchange.cause, ifUnsatisfiable: true) }
        if let tag = EntityTag(fields["etag"]) {
            guard tag.isWeak else { return { $0.tag.map(tag.strongly) == true ? true : nil } }
            let matching = mostRecent(of: initial.filter { $0.tag.map(tag.weakly) == true }, orEarlier: false)
            return { state in matching(state).map { $0 && !isOpen(state) } }
        }
        if let date = fields["last-modified"].flatMap(OracleDate.parse) {
            let matching = mostRecent(of: initial.filter { $0.lastModified == date }, orEarlier: true)
            // Where tags were sent the origin has compared these, so that a date alone corresponds to no stored tag.
            let hasTags = exchange.forwarded.fields["if-none-match"] != nil
            return { state in matching(state).map { $0 && !(hasTags && state.tag != nil) && !isOpen(state) } }
        }
        let certain = Set(initial.filter(\.isCertain).map(\.arrival))
        return { state in
            guard certain.subtracting([state.arrival]).isEmpty, mayBeMeant(state, by: exchange) else {
                return nil
            }
            return initial.allSatisfy(state.hasSameHead(as:)) && state.tag == nil && state.lastModified == nil
        }
    }

    /// Whether a 304 without validators may identify a stored response: one without validators, or, by a
    /// documented deviation from RFC 9111 §4.3.4, the only one whose validators the request had.
    private func mayBeMeant(_ state: StoredState, by exchange: Exchange) -> Bool {
        if state.tag == nil, state.lastModified == nil { return true }
        let asked = exchange.forwarded.fields
        // If-None-Match compares weakly, and the date beside it is not compared (RFC 9110 §13.1.2, §13.1.3).
        let isOfDate = asked["if-modified-since"] == state.fields["last-modified"]
        guard let tag = state.tag else { return isOfDate && asked["if-none-match"] == nil }
        let tags = EntityTag.list(asked["if-none-match"])
        return !tags.isEmpty && tags.allSatisfy(tag.weakly)
    }

    /// Returns the matching states that may be the most recent by Date: certainly so if it is the only one.
    private func mostRecent(of matching: [StoredState], orEarlier: Bool) -> (StoredState) -> Bool? {
        // §4.1 prefers a response with Vary to one without, so that the most recent of either may be meant.
        let candidates = matching.filter { state in
            let rivals = matching.filter {
                $0.isCertain && ($0.fields["vary"] == nil) == (state.fields["vary"] == nil)
            }
            return orEarlier || rivals.allSatisfy { $0.date <= state.date }
        }
        return { candidates.contains($0) ? candidates.allSatisfy($0.hasSameHead(as:)) : nil }
    }

    /// Returns a response stored for other selecting fields that a strong tag in the 304 names and whose tag the
    /// request listed: it is the current representation for this request too (RFC 9111 §4.3.1, §4.3.3;
    /// decided policy).
    private func alias(of state: StoredState, for exchange: Exchange, at now: Int) -> StoredState? {
        guard let tag = EntityTag(exchange.response?.fields["etag"]), state.tag.map(tag.strongly) == true,
            EntityTag.list(exchange.forwarded.fields["if-none-match"]).contains(where: tag.weakly)
        else { return nil }
        var alias = state
        for name in state.vary { alias.request.fields[name] = exchange.cause.fields[name] }
        // A Vary of "*" matches nothing, but does not keep a validated response from use (RFC 9110 §12.5.5).
        let matching = { (objection: String) in objection.hasPrefix("§4.1") }
        guard reuse.selectionObjections(alias, exchange.cause).allSatisfy(matching) else { return nil }
        alias.isCertain = false
        return update(alias, from: exchange, at: now)
    }

    /// Replaces the header fields of a stored response (RFC 9111 §3.2), and its age (RFC 9111 §4.2.3).
    func update(_ state: StoredState, from exchange: Exchange, at now: Int) -> StoredState {
        guard let response = exchange.response else { return state }
        var updated = state
        let kept = ["content-length", "content-range", "connection"]
        var fields = state.fields
        for name in state.excluded { fields[name] = nil }
        for name in response.fields.names where !kept.contains(name) { fields[name] = response.fields[name] }
        // RFC 9110 §6.6.1: the time of receipt replaces an absent Date.
        if response.fields["date"] == nil { fields["date"] = OracleDate.format(now) }
        updated.fields = fields
        // A 304 without Cache-Control leaves the exclusions in force (decided policy).
        updated.excluded = reuse.storing.excluded(updated.fields)
        let basis = reuse.storing.basis(of: exchange, at: now)
        updated.bases = [basis]
        if response.fields["age"] == nil {
            // §3.2 keeps the Age of the stored response, §4.2.3 counts from the validation: both are open.
            updated.bases += state.bases.map { old in
                var kept = basis
                kept.ageValue = old.ageValue
                return kept
            }
        }
        // §4.4: the validation is mandatory after the invalidation, not before it.
        if updated.invalidation < exchange.position { updated.invalidation = 0 }
        updated.isMadeStale = false
        updated.exchange = exchange.number
        return updated
    }

    /// Applies a 200 to HEAD to the stored responses to GET (RFC 9111 §4.3.5).
    func freshenByHead(_ pool: [StoredState], with exchange: Exchange, at now: Int) -> [StoredState] {
        pool.flatMap { state -> [StoredState] in
            guard state.request.method != "HEAD",
                reuse.selectionObjections(state, exchange.cause).isEmpty,
                let fields = exchange.response?.fields
            else { return [state] }
            var stale = state
            stale.isMadeStale = true
            // Updating or invalidating is required of responses to GET: what is invalid may remain as it is.
            let mayStay = state.isInvalid || state.request.method != "GET"
            let kept = mayStay ? [uncertain(state)] : []
            let isSame = ["etag", "last-modified"].allSatisfy {
                fields[$0] == nil || fields[$0] == state.fields[$0]
            }
            let length = fields["content-length"].flatMap(Int.init)
            guard isSame, length == nil || length == state.completeLength else { return [stale] + kept }
            var updated = update(state, from: exchange, at: now)
            updated.invalidation = state.invalidation
            if EntityTag(fields["etag"])?.isWeak == false {
                return withOtherRequest(updated, exchange.cause) + kept
            }
            // The cache need not know what the request had in fields that Vary names only now, nor its credentials.
            let mayShare = [state, updated].map { reuse.storing.allowsSharing($0.directives) }
            let isKnown = updated.vary == state.vary && mayShare[0] == mayShare[1] || reuse.isKeptOut(updated)
            return (isKnown ? [updated] : [updated, stale].map(uncertain)) + kept
        }
    }

    /// Invalidates what an unsafe request may have changed (RFC 9111 §4.4).
    func invalidate(_ pool: [StoredState], after exchange: Exchange, at position: Int) -> [StoredState] {
        guard exchange.invalidates else { return pool }
        return pool.flatMap { state -> [StoredState] in
            var invalid = uncertain(state)
            invalid.invalidation = position
            if state.request.target == exchange.cause.target { return [invalid] }
            // What Location and Content-Location name may be invalidated as well.
            return exchange.affected.contains(state.request.target)
                ? [uncertain(state), invalid] : [state]
        }
    }
}
