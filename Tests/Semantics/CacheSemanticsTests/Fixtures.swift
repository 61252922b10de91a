import CacheSemantics
import HTTPTypes
import Testing

/// Returns a time counted in seconds from 2026-01-01T00:00:00Z.
func at(_ seconds: Int64) -> HTTPDate {
    HTTPDate(secondsSinceEpoch: 1_767_225_600 + seconds)
}

/// Returns fields from lines of the form "Name: value".
func fields(_ lines: [String]) -> HTTPFields {
    var fields = HTTPFields()
    for line in lines {
        let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
            Issue.record("no field line: \(line)")
            continue
        }
        fields.append(HTTPField(name: name, value: String(parts[1])))
    }
    return fields
}

/// Returns a request to http://example.test.
func request(_ lines: String..., method: String = "GET", path: String = "/a") -> HTTPRequest {
    HTTPRequest(
        method: HTTPRequest.Method(method) ?? .get,
        scheme: "http",
        authority: "example.test",
        path: path,
        headerFields: fields(lines)
    )
}

func request(lines: [String]) -> HTTPRequest {
    var asking = request()
    asking.headerFields = fields(lines)
    return asking
}

/// Returns a range of positions that is known to be valid.
func range(_ first: Int64, _ last: Int64) -> ByteRange {
    guard let range = ByteRange(first: first, last: last) else {
        preconditionFailure("not a range: \(first)-\(last)")
    }
    return range
}

/// Returns a response whose Date is `date` seconds after the start; no Date with `nil`.
func response(_ lines: String..., status: Int = 200, date: Int64? = 0) -> HTTPResponse {
    response(lines: lines, status: status, date: date)
}

func response(lines: [String], status: Int = 200, date: Int64? = 0) -> HTTPResponse {
    var fields = fields(lines)
    if let date { fields.append(HTTPField(name: .date, value: at(date).text)) }
    return HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
}

/// Returns a stored response that was received at second 0.
func stored(
    _ lines: String...,
    status: Int = 200,
    date: Int64? = 0,
    asked: HTTPRequest = request(),
    sent: Int64 = 0,
    received: Int64 = 0,
    isInvalidated: Bool = false
) -> StoredResponse {
    stored(
        lines: lines,
        status: status,
        date: date,
        asked: asked,
        sent: sent,
        received: received,
        isInvalidated: isInvalidated
    )
}

func stored(
    lines: [String],
    status: Int = 200,
    date: Int64? = 0,
    asked: HTTPRequest = request(),
    sent: Int64 = 0,
    received: Int64 = 0,
    isInvalidated: Bool = false
) -> StoredResponse {
    let response = response(lines: lines, status: status, date: date)
    let vary = Vary(response.headerFields[values: .vary])
    return StoredResponse(
        key: CacheEngine().key(for: asked),
        variant: vary.variant(of: asked.headerFields),
        method: asked.method,
        selectingFields: vary.selectingFields(of: asked.headerFields),
        response: response,
        requestTime: at(sent),
        responseTime: at(received),
        isInvalidated: isInvalidated
    )
}

/// A plan's result, for comparison.
enum Outcome: Equatable {
    case fresh(age: Int64)
    case stale(age: Int64, revalidates: Bool)
    case validate
    case complete
    case forward
    case gatewayTimeout
    case unavailable

    init(_ planned: PlannedRequest) {
        switch planned.plan {
        case .serve(let reuse) where reuse.isStale:
            self = .stale(age: reuse.age, revalidates: reuse.revalidation != nil)
        case .serve(let reuse): self = .fresh(age: reuse.age)
        case .validate: self = .validate
        case .complete: self = .complete
        case .forward: self = .forward
        case .gatewayTimeout: self = .gatewayTimeout
        case .unavailable: self = .unavailable
        }
    }
}

/// An answer's result, for comparison.
enum Settled: Equatable {
    case origin(Int)
    case validated(age: String?)
    case completed(Int)
    case stored(age: Int64, isStale: Bool)
    case gatewayTimeout
    case unanswered
    case retry
    case rejected

    init(_ settlement: Settlement) {
        switch settlement.answer {
        case .origin(let response): self = .origin(response.status.code)
        case .validated(_, let response): self = .validated(age: response.headerFields[.age])
        case .completed(let completion): self = .completed(completion.response.status.code)
        case .stored(let reuse): self = .stored(age: reuse.age, isStale: reuse.isStale)
        case .gatewayTimeout: self = .gatewayTimeout
        case .unanswered: self = .unanswered
        case .retry: self = .retry
        case .rejected: self = .rejected
        }
    }
}

extension CacheEngine {
    static let shared = CacheEngine(kind: .shared)

    /// Returns a plan of a protocol request at a second.
    func plan(_ request: HTTPRequest, _ stored: [StoredResponse], at second: Int64) -> PlannedRequest {
        plan(request, policy: .useProtocolCachePolicy, stored: stored, now: at(second))
    }

    /// Plans at a second and settles with the response received then.
    func exchange(
        _ request: HTTPRequest,
        _ stored: [StoredResponse],
        policy: RequestCachePolicy = .useProtocolCachePolicy,
        at second: Int64 = 0,
        _ response: HTTPResponse
    ) -> Settlement {
        let planned = plan(request, policy: policy, stored: stored, now: at(second))
        return settle(planned, reply: .response(response, requestTime: at(second), responseTime: at(second)))
    }

    /// Settles a response to a request without a stored response.
    func exchange(_ request: HTTPRequest, _ response: HTTPResponse) -> Settlement {
        exchange(request, [], response)
    }

    /// Settles a response to a plain GET without a stored response.
    func exchange(_ response: HTTPResponse) -> Settlement {
        exchange(request(), [], response)
    }

    /// Plans at a second and settles with an unreachable origin.
    func failure(
        _ request: HTTPRequest,
        _ stored: [StoredResponse],
        policy: RequestCachePolicy = .useProtocolCachePolicy,
        at second: Int64
    ) -> Settlement {
        let planned = plan(request, policy: policy, stored: stored, now: at(second))
        return settle(planned, reply: .failure(requestTime: at(second), responseTime: at(second)))
    }
}

extension Settlement {
    /// The response that the settlement stores.
    var put: StoredResponse? {
        edits.compactMap { if case .put(let stored) = $0 { stored } else { nil } }.first
    }

    /// The request that is sent again.
    var again: HTTPRequest? {
        if case .retry(let request) = answer { request } else { nil }
    }

    /// The responses that the settlement updates.
    var freshened: [StoredResponse] {
        edits.compactMap { if case .freshen(let stored) = $0 { stored } else { nil } }
    }

    /// The response that is stored with the content of another variant.
    var alias: StoredResponse? {
        for case .putAlias(let stored) in edits { return stored }
        return nil
    }

    /// The target URIs that the settlement invalidates.
    var invalidated: [String] {
        edits.compactMap { if case .invalidate(let key) = $0 { key.targetURI } else { nil } }
    }

    /// The variants that the settlement removes.
    var removed: [VariantKey] {
        edits.compactMap { if case .remove(_, let variant) = $0 { variant } else { nil } }
    }

    /// The outcome of the rule's finding; `nil` if there is none.
    func held(_ rule: Rule) -> Bool? {
        findings.last { $0.rule == rule }?.held
    }
}

extension PlannedRequest {
    /// The outcome of the rule's finding; `nil` if there is none.
    func held(_ rule: Rule) -> Bool? {
        findings.last { $0.rule == rule }?.held
    }

    /// The stored response that is used.
    var reuse: Reuse? {
        if case .serve(let reuse) = plan { reuse } else { nil }
    }

    /// The request that is forwarded.
    var sent: HTTPRequest? {
        switch plan {
        case .forward(let request): request
        case .validate(let validation): validation.request
        case .complete(let partial): partial.request
        case .serve(let reuse): reuse.revalidation?.request
        case .gatewayTimeout, .unavailable: nil
        }
    }
}
