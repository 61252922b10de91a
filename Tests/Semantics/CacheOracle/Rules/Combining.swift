/// Combining partial content (RFC 9111 §3.4, RFC 9110 §15.3.7.3).
struct CombiningRules {
    let updating: UpdatingRules

    /// Returns every combination of a partial response with a stored response of the same representation: of the
    /// two, all that share a strong validator, regardless of the selecting fields for which they were stored.
    func combinations(_ part: StoredState, with pool: [StoredState], _ exchange: Exchange, at now: Int)
        -> [StoredState]
    {
        pool.compactMap { state in
            guard state.status == 200, state.request.method == "GET",
                updating.reuse.selectionObjections(state, exchange.cause).allSatisfy({ $0.hasPrefix("§4.1") }
                ),
                state.sharesStrongValidator(with: part),
                state.completeLength == nil || part.completeLength == nil
                    || state.completeLength == part.completeLength
            else { return nil }
            var combined = updating.update(state, from: exchange, at: now)
            // A Range of an older response may make the combination older than its latest part.
            combined.bases += state.bases
            combined.parts = union(state.parts + part.parts)
            combined.completeLength = state.completeLength ?? part.completeLength
            combined.isCertain = false
            return combined
        }
    }

    /// Returns the union of parts, joined where they touch or overlap (RFC 9110 §15.3.7.3).
    private func union(_ parts: [StoredState.Part]) -> [StoredState.Part] {
        var union: [StoredState.Part] = []
        for part in parts.sorted(by: { $0.offset < $1.offset }) {
            guard let last = union.last, part.offset <= last.end else {
                union.append(part)
                continue
            }
            union[union.count - 1].bytes += part.bytes.dropFirst(last.end - part.offset)
        }
        return union
    }
}
