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
    func freshen(_ pool: [StoredState], with exchange: Exchange, at now: Int, arrival: Int) -> Result {
        let initial = pool.filter { reuse.selectionObjections($0, exchange.cause).isEmpty }
        let isDefinite = identified(among: initial, by: exchange)
        var result = Result()
        for state in pool {
            if initial.contains(state), let isDefinite = isDefinite(state) {
                var updated = update(state, from: exchange, at: now)
                updated.isCertain = state.isCertain && isDefinite
                result.updated.append(updated)
                result.pool.append(updated)
                if isDefinite { continue }
                result.pool.append(uncertain(state))
            } else if let alias = alias(of: state, for: exchange, at: now) {
                result.updated.append(alias)
                result.pool += [alias, uncertain(state), update(uncertain(state), from: exchange, at: now)]
            } else {
                result.pool.append(state)
            }
        }
        return result
    }

    private func uncertain(_ state: StoredState) -> StoredState {
        var state = state
        state.isCertain = false
        return state
    }

    /// Which states a 304 identifies: for each, whether it is certainly identified, or `nil` if it is not
    /// (the three filters of RFC 9111 §4.3.4). A Last-Modified date counts where there is no tag, as weak
    /// or strong (RFC 9110 §8.8.2.2).
    private func identified(
        among initial: [StoredState],
        by exchange: Exchange
    ) -> (StoredState) -> Bool? {
        let fields = exchange.response?.fields ?? FieldSection()
        if let tag = EntityTag(fields["etag"]) {
            guard tag.isWeak else { return { $0.tag.map(tag.strongly) == true ? true : nil } }
            return mostRecent(of: initial.filter { $0.tag.map(tag.weakly) == true }, orEarlier: false)
        }
        if let date = fields["last-modified"].flatMap(OracleDate.parse) {
            return mostRecent(of: initial.filter { $0.lastModified == date }, orEarlier: true)
        }
        let certain = Set(initial.filter(\.isCertain).map(\.arrival))
        return { state in
            guard certain.subtracting([state.arrival]).isEmpty, state.tag == nil, state.lastModified == nil
            else { return nil }
            return initial.count == 1
        }
    }

    /// Which of the matching states may be the most recent by Date: certainly so if it is the only one.
    private func mostRecent(
        of matching: [StoredState],
        orEarlier: Bool
    ) -> (StoredState) -> Bool? {
        let least = matching.filter(\.isCertain).map(\.date).max() ?? Int.min
        let candidates = matching.filter { orEarlier || $0.date >= least }
        return { state in
            guard candidates.contains(state) else { return nil }
            return candidates.count == 1
        }
    }

    /// A response stored for other selecting fields that a strong tag in the 304 names and whose tag the
    /// request listed: it is the current representation for this request too (RFC 9111 §4.3.1, §4.3.3;
    /// decided policy).
    private func alias(of state: StoredState, for exchange: Exchange, at now: Int) -> StoredState? {
        guard let tag = EntityTag(exchange.response?.fields["etag"]), state.tag.map(tag.strongly) == true,
            EntityTag.list(exchange.forwarded.fields["if-none-match"]).contains(tag),
            !EntityTag.list(exchange.cause.fields["if-none-match"]).contains(tag)
        else { return nil }
        var alias = state
        for name in (state.fields["vary"] ?? "").split(separator: ",").map({ trimmed($0).lowercased() }) {
            alias.request.fields[name] = exchange.cause.fields[name]
        }
        guard reuse.selectionObjections(alias, exchange.cause).isEmpty else { return nil }
        alias.isCertain = false
        return update(alias, from: exchange, at: now)
    }

    /// Replaces the header fields of a stored response (RFC 9111 §3.2), and its age (RFC 9111 §4.2.3).
    func update(_ state: StoredState, from exchange: Exchange, at now: Int) -> StoredState {
        guard let response = exchange.response else { return state }
        var updated = state
        let kept = ["content-length", "content-range", "connection"]
        for name in state.excluded { updated.fields[name] = nil }
        for name in response.fields.names where !kept.contains(name) {
            updated.fields[name] = response.fields[name]
        }
        // A 304 without Cache-Control leaves the exclusions in force (decided policy).
        updated.excluded = reuse.storing.excluded(updated.fields)
        let basis = reuse.storing.basis(of: exchange, at: now)
        updated.bases = [basis]
        if response.fields["age"] == nil {
            // §3.2 keeps the Age of the stored response, §4.2.3 counts from the validation: both are open.
            updated.bases += state.bases.map {
                AgeBasis(
                    requestTime: basis.requestTime,
                    responseTime: basis.responseTime,
                    ageValue: $0.ageValue,
                    date: basis.date
                )
            }
        }
        updated.isInvalid = false
        updated.isMadeStale = false
        updated.exchange = exchange.number
        return updated
    }

    /// Applies a 200 to HEAD to the stored responses to GET (RFC 9111 §4.3.5).
    func freshenByHead(_ pool: [StoredState], with exchange: Exchange, at now: Int) -> [StoredState] {
        pool.flatMap { state -> [StoredState] in
            guard state.request.method == "GET",
                reuse.selectionObjections(state, exchange.cause).isEmpty,
                let fields = exchange.response?.fields
            else { return [state] }
            var stale = state
            stale.isMadeStale = true
            let isSame = ["etag", "last-modified"].allSatisfy {
                fields[$0] == nil || fields[$0] == state.fields[$0]
            }
            let length = fields["content-length"].flatMap(Int.init)
            guard isSame, length == nil || length == state.completeLength else { return [stale] }
            var updated = update(state, from: exchange, at: now)
            updated.isInvalid = state.isInvalid
            return [updated]
        }
    }

    /// Invalidates what an unsafe request may have changed (RFC 9111 §4.4).
    func invalidate(_ pool: [StoredState], after exchange: Exchange) -> [StoredState] {
        guard !exchange.cause.isSafe, let status = exchange.response?.status, (200..<400).contains(status)
        else { return pool }
        return pool.map { state in
            var state = state
            // Location and Content-Location may be invalidated as well, which only removes certainty.
            if state.request.target == exchange.cause.target { state.isInvalid = true }
            state.isCertain = false
            return state
        }
    }
}
