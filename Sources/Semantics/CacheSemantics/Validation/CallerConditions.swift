public import HTTPTypes

/// The preconditions of a caller that a cache may evaluate (RFC 9111 §4.3.2, RFC 9110 §13.2.2).
struct CallerConditions {
    private let fields: HTTPFields

    init(_ request: HTTPRequest) { fields = request.headerFields }

    /// The entity tags of `If-None-Match`; `nil` if it is absent or `*`.
    var entityTags: [EntityTag]? { hasNoneMatch && !isAny ? EntityTag.list(.ifNoneMatch, in: fields) : nil }

    /// Whether there is an `If-None-Match`.
    var hasNoneMatch: Bool { fields.contains(.ifNoneMatch) }

    /// Whether the condition is `*`, which matches any current representation (RFC 9110 §13.1.2).
    var isAny: Bool {
        FieldList.members(of: .ifNoneMatch, in: fields) { $0.elementsEqual([ASCII.asterisk]) }.contains(true)
    }

    /// Whether the preconditions select a 304 for a stored response.
    func notModified(_ stored: StoredResponse, now: HTTPDate, _ trace: inout Trace) -> Bool {
        // RFC 9110 §13.2.1: preconditions are evaluated only if the response without them is successful.
        guard (200..<300).contains(stored.statusCode) else { return false }
        if hasNoneMatch {
            let text = stored.entityTag?.text ?? "no entity tag"
            return trace.note(.callerIfNoneMatch, isAny || matches(stored.entityTag), .named("stored:", text))
        }
        guard let moment = moment(.ifModifiedSince, now: now) else { return false }
        // §4.3.2: without Last-Modified its Date is used, and without that the time of receipt.
        let modified = stored.lastModified ?? stored.date
        return trace.note(.callerIfModifiedSince, modified <= moment, .named("modified", modified.text))
    }

    /// Whether `If-None-Match` lists a tag.
    func matches(_ tag: EntityTag?) -> Bool {
        guard let tag else { return false }
        return entityTags?.contains { $0.matchesWeakly(tag) } ?? false
    }

    /// Whether `If-None-Match` is absent, or lists only tags among these.
    func asksOnly(about tags: [EntityTag]) -> Bool {
        (entityTags ?? []).allSatisfy { tag in tags.contains { $0.matchesWeakly(tag) } }
    }

    /// Whether the ranges of the request apply to this representation (RFC 9110 §13.1.5).
    func wantsRanges(of stored: StoredResponse, now: HTTPDate, _ trace: inout Trace) -> Bool {
        let lines = fields.filter { $0.name == .ifRange }
        guard let line = lines.first else { return true }
        let held = lines.count == 1 && isSame(line, as: stored, now: now)
        return trace.note(.callerIfRange, held, .named("If-Range", line.value))
    }

    private func isSame(_ line: HTTPField, as stored: StoredResponse, now: HTTPDate) -> Bool {
        if let date = HTTPDate(parsing: line.value, now: now) {
            guard let lastModified = stored.lastModified, stored.isDateStrong else { return false }
            return date == lastModified
        }
        guard let tag = EntityTag(line), let mine = stored.entityTag else { return false }
        return tag.matchesStrongly(mine)
    }

    /// Returns the value of a date field with exactly one valid line.
    private func moment(_ name: HTTPField.Name, now: HTTPDate) -> HTTPDate? {
        let lines = fields[values: name]
        return lines.count == 1 ? lines.first.flatMap { HTTPDate(parsing: $0, now: now) } : nil
    }
}

extension HTTPRequest {
    /// The request for the whole representation, without its preconditions.
    public var unconditional: HTTPRequest {
        var request = self
        for name in Self.selective { request.headerFields[name] = nil }
        return request
    }

    /// The request without If-None-Match and If-Modified-Since.
    var withoutConditions: HTTPRequest {
        var request = self
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { request.headerFields[name] = nil }
        return request
    }

    private static let selective: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifRange, .range,
    ]
}
