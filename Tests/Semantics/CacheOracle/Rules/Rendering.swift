/// The rules by which a stored response answers a request: conditions, ranges and fields (RFC 9110 §13.2.2, §14.2).
struct RenderingRules {
    let reuse: ReuseRules

    /// The fields that a cache generates, replaces or drops by itself.
    static let managed: Set = [
        "age", "cache-status", "connection", "content-length", "content-range", "keep-alive", "via",
        "transfer-encoding", "proxy-authenticate", "proxy-authentication-info", "warning",
    ]

    /// The representation fields that a 206 SHOULD NOT have where If-Range shows that the client has them
    /// (RFC 9110 §15.3.7).
    static let known: Set = ["content-type", "content-encoding", "content-language", "last-modified"]

    /// Whether a condition of the request makes a stored 200 a 304 (RFC 9110 §13.2.2 steps 3 and 4; RFC 9111
    /// §4.3.2, where a cache uses Date in place of an absent Last-Modified).
    func isNotModified(_ state: StoredState, _ request: OracleRequest) -> Bool {
        guard state.status == 200, ["GET", "HEAD"].contains(request.method) else { return false }
        if let value = request.fields["if-none-match"] {
            return value == "*" || EntityTag.list(value).contains { state.tag?.weakly($0) == true }
        }
        guard let since = request.fields["if-modified-since"].flatMap(OracleDate.parse) else { return false }
        return (state.lastModified ?? state.date) <= since
    }

    /// Whether Range applies after If-Range (RFC 9110 §13.1.5).
    func rangeApplies(_ state: StoredState, _ request: OracleRequest) -> Bool {
        guard request.method == "GET", request.fields["range"] != nil, state.status == 200 else {
            return false
        }
        guard let condition = request.fields["if-range"] else { return true }
        if let tag = EntityTag(condition) { return state.tag?.strongly(tag) == true }
        guard let date = OracleDate.parse(condition) else { return false }
        return date == state.lastModified && date < state.date
    }

    /// Returns the reasons why a delivered response is not the answer that a stored response gives; empty if it is.
    func objections(_ delivered: OracleResponse, _ state: StoredState, _ request: OracleRequest) -> [String] {
        if delivered.status == 304, reuse.isOutside(state, request) { return ["§3.3: 304 from a part"] }
        guard !isNotModified(state, request) else {
            return delivered.status == 304
                ? notModifiedObjections(delivered, state)
                : ["§4.3.2: the condition is false, the status is \(delivered.status)"]
        }
        if delivered.status == 304 {
            // §4.3.2 speaks of 200 and 206, RFC 9110 §13.2.1 of every 2xx: both are permitted.
            var success = state
            if (201..<300).contains(state.status) { success.status = 200 }
            return isNotModified(success, request)
                ? notModifiedObjections(delivered, state) : ["§4.3.2: 304, but the condition is true"]
        }
        return rangeApplies(state, request)
            ? rangeObjections(delivered, state, request) : wholeObjections(delivered, state, request)
    }

    /// Whether a range is answered as asked, several with all or with one of them
    /// (RFC 9110 §14.2, §14.4, §15.3.7.1, §15.3.7.2; RFC 9111 §3.3).
    private func rangeObjections(_ delivered: OracleResponse, _ state: StoredState, _ request: OracleRequest)
        -> [String]
    {
        let asked = ByteRange.all(request.fields["range"] ?? "", of: state.completeLength ?? Int.max)
        let ranges = asked.compactMap(\.bounds)
        if delivered.status == 416, asked.count > 1 || ranges.isEmpty { return [] }
        guard delivered.status == 206 else { return wholeObjections(delivered, state, request) }
        var (plain, mayLack) = (delivered, request.fields["if-range"] == nil ? [] : Self.known)
        if let sent = ContentRange(delivered.fields["content-range"]) {
            let isAsked = ranges.contains {
                [sent.last + 1, Int.max].contains($0.upperBound) && $0.lowerBound == sent.first
            }
            guard isAsked, [sent.completeLength, nil].contains(state.completeLength) else {
                return ["§3.3: another range than \(ranges) was sent"]
            }
            guard state.bytes(sent.first..<sent.last + 1) == delivered.content else {
                return ["RFC 9110 §14.4: other bytes than the range names"]
            }
        } else {
            let isSent = ranges.allSatisfy { state.bytes($0).map(delivered.content.contains) ?? false }
            guard asked.count > 1, !ranges.isEmpty, isSent else {
                return ["RFC 9110 §15.3.7: no Content-Range, or a range is missing"]
            }
            (plain.fields["content-type"], mayLack) = (nil, Self.known)
        }
        return fieldObjections(plain, state, mayLack: mayLack)
    }

    /// Whether the whole stored response is sent (RFC 9111 §3.3, §4; RFC 9110 §9.3.2).
    private func wholeObjections(_ delivered: OracleResponse, _ state: StoredState, _ request: OracleRequest)
        -> [String]
    {
        guard state.isComplete || request.method == "HEAD" && delivered.status == 200 else {
            return ["§3.3: an incomplete response answers as if it were complete"]
        }
        guard delivered.status == state.status else {
            return ["§4: status \(delivered.status) in place of \(state.status)"]
        }
        let isSame =
            request.method == "HEAD" ? delivered.content.isEmpty : delivered.content == state.parts[0].bytes
        // RFC 9110 §8.6: in a response to HEAD, too, it is the length of the content of a response to GET.
        let length = state.completeLength.map { "\($0)" }
        let isOfLength = [length, nil].contains(delivered.fields["content-length"])
        return (isSame && isOfLength ? [] : ["§4: other content, or of another length, than was stored"])
            + fieldObjections(delivered, state)
    }

    /// Whether a 304 has the fields that it needs, and no others than the response (RFC 9110 §15.4.5).
    private func notModifiedObjections(_ delivered: OracleResponse, _ state: StoredState) -> [String] {
        let needed: Set = ["etag", "vary", "cache-control", "expires", "content-location", "date"]
        return fieldObjections(delivered, state, mayLack: Set(state.fields.names).subtracting(needed))
    }

    /// Whether the delivered fields are the stored ones, as updated, without those that no-cache and
    /// private keep out (RFC 9111 §3.1, §3.2).
    private func fieldObjections(_ delivered: OracleResponse, _ state: StoredState, mayLack: Set<String> = [])
        -> [String]
    {
        let nominated = (state.fields["connection"] ?? "").split(separator: ",").map {
            trimmed($0).lowercased()
        }
        let dropped = Self.managed.union(nominated).subtracting(StoringRules.ofProxy)
        let stored = state.fields.names.filter { !dropped.contains($0) && !state.excluded.contains($0) }
        let different = stored.filter {
            delivered.fields[$0] != state.fields[$0] && !(mayLack.contains($0) && delivered.fields[$0] == nil)
        }
        let unknown = delivered.fields.names.filter { !dropped.contains($0) && !stored.contains($0) }
        return different.map { name in
            "§3.2: \(name) is \(delivered.fields[name] ?? "absent"), not \(state.fields[name] ?? "")"
        }
            + unknown.map { "§3.1: \($0) is excluded, or was not in the response" }
    }

    /// Whether the Age of a response sent without validation is its current age (RFC 9111 §4, §5.1).
    func ageObjections(_ delivered: OracleResponse, _ state: StoredState, at now: Int) -> [String] {
        guard delivered.status != 416 else { return [] }
        guard let age = delivered.fields["age"].flatMap(Int.init) else { return ["§4: no Age"] }
        let permitted = reuse.ages(state, at: now).map { max(0, $0) }
        return permitted.contains(age) ? [] : ["§4: Age \(age) is none of \(permitted)"]
    }
}
