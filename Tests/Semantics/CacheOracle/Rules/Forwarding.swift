/// The rules for requests that a cache sends to the origin (RFC 9111 §4.3.1, §4.3.2).
struct ForwardingRules {
    let reuse: ReuseRules

    private static let changeable: Set = [
        "if-none-match", "if-modified-since", "if-range", "range", "cache-control",
    ]

    /// Returns the reasons why a forwarded request is not permitted; empty if it is.
    func objections(_ sent: OracleRequest, _ cause: OracleRequest, _ pool: [StoredState]) -> [String] {
        var objections: [String] = []
        func object(_ isViolated: Bool, _ text: String) { if isViolated { objections.append(text) } }
        // §4: an unsafe request is written through, regardless of what it asks for.
        let isForbidden = cause.isSafe && cause.directives.has("only-if-cached")
        object(isForbidden, "§5.2.1.7: forwarded despite only-if-cached")
        object(sent.method != cause.method || sent.target != cause.target, "RFC 9110 §7.6: another request")
        for name in cause.fields.names where !Self.changeable.contains(name) {
            object(sent.fields[name] != cause.fields[name], "RFC 9110 §7.6: \(name) was changed")
        }
        let directives = sent.directives.texts
        object(!cause.directives.texts.allSatisfy(directives.contains), "§5.2: a directive is not passed on")
        guard cause.isSafe else {
            for name in Self.changeable where name != "cache-control" {
                object(sent.fields[name] != cause.fields[name], "§4: \(name) on an unsafe request")
            }
            return objections
        }
        let known = pool.filter { $0.request.target == cause.target }
        return objections + tagObjections(sent, cause, known) + dateObjections(sent, cause, known)
            + rangeObjections(sent, cause, known)
    }

    /// Checks the tags that are added to If-None-Match (RFC 9111 §4.3.1, §4.3.2; that no weak tag of an
    /// unselected variant is sent is decided policy).
    private func tagObjections(_ sent: OracleRequest, _ cause: OracleRequest, _ known: [StoredState])
        -> [String]
    {
        let own = EntityTag.list(cause.fields["if-none-match"])
        return EntityTag.list(sent.fields["if-none-match"]).filter { !own.contains($0) }.flatMap { tag in
            let holders = known.filter { $0.tag == tag && !reuse.isOutside($0, cause) }
            if holders.isEmpty {
                return ["§4.3.1: If-None-Match lists \(tag.opaque), which no usable response has"]
            }
            let selected = holders.contains { reuse.selectionObjections($0, cause).isEmpty }
            return tag.isWeak && !selected
                ? ["policy: the weak tag \(tag.opaque) of an unselected variant"] : []
        }
    }

    /// Checks the date that is added as If-Modified-Since, and that the tag goes with it (RFC 9111 §4.3.1).
    private func dateObjections(_ sent: OracleRequest, _ cause: OracleRequest, _ known: [StoredState])
        -> [String]
    {
        guard let date = sent.fields["if-modified-since"], date != cause.fields["if-modified-since"] else {
            return []
        }
        let holders = known.filter { state in
            state.fields["last-modified"] == date
                || state.lastModified == nil && state.date == OracleDate.parse(date)
        }
        if holders.isEmpty { return ["§4.3.1: If-Modified-Since \(date) is the date of no stored response"] }
        let sentTags = EntityTag.list(sent.fields["if-none-match"])
        let isAccompanied = holders.contains { $0.tag.map(sentTags.contains) ?? true }
        return isAccompanied ? [] : ["§4.3.1: the entity tag of the validated response is not sent"]
    }

    /// Checks the If-Range that is added (RFC 9110 §13.1.5).
    private func rangeObjections(_ sent: OracleRequest, _ cause: OracleRequest, _ known: [StoredState])
        -> [String]
    {
        guard let condition = sent.fields["if-range"], condition != cause.fields["if-range"] else {
            return []
        }
        guard sent.fields["range"] != nil else { return ["RFC 9110 §13.1.5: If-Range without Range"] }
        if let tag = EntityTag(condition) {
            return known.contains { $0.tag?.strongly(tag) == true }
                ? [] : ["RFC 9110 §13.1.5: \(condition) is no strong tag of a stored response"]
        }
        let date = OracleDate.parse(condition)
        return known.contains { $0.tag == nil && $0.lastModified == date && (date ?? 0) < $0.date }
            ? [] : ["RFC 9110 §13.1.5: \(condition) is no strong date of a response without a tag"]
    }
}

extension ReuseRules {
    /// Whether a partial response cannot answer a request, and its tag must be left out: unless the ranges that the request
    /// asks for lie within it (RFC 9111 §3.3, §4.3.2).
    ///
    /// If none of them can be satisfied, the length alone answers, and the rule is one for requests with If-None-Match;
    /// but that the part could be chosen is open.
    func isOutside(_ state: StoredState, _ request: OracleRequest, ifUnsatisfiable: Bool? = nil) -> Bool {
        // HEAD asks for no content, so that a part answers it as well as the whole.
        guard !state.isComplete, request.method != "HEAD" else { return false }
        guard let value = request.fields["range"] else { return true }
        let wanted = ByteRange.all(value, of: state.completeLength ?? Int.max).filter { $0 != .unsatisfiable }
        if wanted.isEmpty { return ifUnsatisfiable ?? (request.fields["if-none-match"] != nil) }
        return wanted.contains { $0.bounds.flatMap(state.bytes) == nil }
    }
}
