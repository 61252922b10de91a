import CacheSemantics
import Explanation
import HTTPTypes
import Metamorphic

/// An exchange drawn from a seed and the next request, for the explanation and for the client.
struct GeneratedExchange: CustomStringConvertible {
    var engine = CacheEngine()
    let start: HTTPDate
    /// Seconds between the first request and its response, and between that and the next request.
    let delay, wait: Int64
    var policy: RequestCachePolicy
    var first: HTTPRequest
    var response: HTTPResponse
    var next: HTTPRequest
    /// The response to the next request; `nil` if the origin is unreachable.
    let reply: HTTPResponse?

    /// As long as `Content-Length` declares.
    static let content = Array("0123456789".utf8)

    init(seed: UInt64) {
        let exchange = ExchangeCase(seed: seed)
        let rendered = RenderedCase(exchange)
        start = rendered.start
        (delay, wait, policy) = (exchange.delay, exchange.wait, exchange.policy)
        first = Self.request(exchange.first, rendered.first)
        next = Self.request(exchange.second, rendered.second)
        response = Self.response(exchange.answer.status, rendered.answer)
        reply = exchange.reply.map { Self.response($0.status, rendered.reply) }
        engine.kind = exchange.isShared ? .shared : .private
        var numbers = SeededNumbers(seed: seed ^ 0x5EED)
        vary(&numbers)
    }

    var description: String {
        """
        \(engine.kind) cache, targets \(engine.targets.map(\.rawName)), \(policy)
        \(Self.text(first.headerFields, "GET"))
        after \(delay) s: \(Self.text(response.headerFields, "\(response.status.code)"))
        after \(wait) s: \(Self.text(next.headerFields, "\(next.method.rawValue) \(next.path ?? "")"))
        """
    }

    private static func text(_ fields: HTTPFields, _ start: String) -> String {
        start + fields.map { "\n    \($0.name.rawName): \($0.value)" }.joined()
    }

    // MARK: Features that other generated cases lack

    /// Adds fields, status codes and targets.
    private mutating func vary(_ numbers: inout SeededNumbers) {
        if once(in: 4, &numbers) { engine.targets = [.cdnCacheControl] }
        if once(in: 3, &numbers) { add(.cdnCacheControl, Self.targeted, &numbers) }
        if once(in: 3, &numbers) { add(.cacheControl, Self.directives, &numbers) }
        if once(in: 6, &numbers) { add(.setCookie, ["a=b", "c=d"], &numbers) }
        if once(in: 10, &numbers) { add(.age, ["10, 20", "20", "x, 5"], &numbers) }
        if once(in: 20, &numbers) { add(.eTag, ["\"v2\"", "v3"], &numbers) }
        if once(in: 20, &numbers) { add(.date, [start.text], &numbers) }
        if once(in: 12, &numbers) { add(.noVarySearch, ["params=(\"x\")", "params", "params=(x"], &numbers) }
        if once(in: 5, &numbers) {
            next.path = ["/a?x=1", "/a?y=1", "/b"].randomElement(using: &numbers) ?? "/a"
        }
        if once(in: 5, &numbers) {
            next.headerFields[.range] = Self.ranges.randomElement(using: &numbers)
            if once(in: 4, &numbers) { next.headerFields[.ifRange] = "\"v1\"" }
        }
        if once(in: 60, &numbers) { (policy, next.path) = (.returnCacheDataDontLoad, "/b") }
        guard once(in: 6, &numbers) else { return }
        let codes = [299, 400, 403, 429, 451, 499, 501, 520, 599, 600, 999]
        response.status = .init(code: codes.randomElement(using: &numbers) ?? 200)
    }

    private static let ranges = [
        "bytes=0-3", "bytes=4-", "bytes=-2", "bytes=20-", "bytes=0-1, 5-6", "lines=1-2",
    ]
    private static let directives = [
        "stale-while-revalidate=0", "stale-if-error=0", "stale-while-revalidate=20, stale-if-error=5",
        "stale-if-error=30", "max-age=60, stale-while-revalidate=10", "ext=\"a, no-store", "\"no-store\"",
        "max-age=\"60\", private=Set-Cookie", "public, stale-if-error=\"60\"", "max-age=2147483648",
        "max-age=60, stale-while-revalidate=4294967296",
    ]
    private static let targeted = [
        "max-age=600", "max-age=60, stale-while-revalidate=30", "max-age=60, stale-if-error=100",
        "Max-Age=60",
        "max-age=\"60\"", "private=set-cookie", "no-store", "no-cache", "no-cache=\"ETag\"", "s-maxage=5",
        "must-revalidate, max-age=5", "no-store=1", "private", "",
    ]

    private func once(in count: Int, _ numbers: inout SeededNumbers) -> Bool {
        Int.random(in: 0..<count, using: &numbers) == 0
    }

    private mutating func add(_ name: HTTPField.Name, _ values: [String], _ numbers: inout SeededNumbers) {
        response.headerFields.append(
            HTTPField(name: name, value: values.randomElement(using: &numbers) ?? "")
        )
    }

    // MARK: Messages

    private static func request(
        _ message: ExchangeCase.Message,
        _ lines: [(name: String, value: String)]
    ) -> HTTPRequest {
        HTTPRequest(
            method: HTTPRequest.Method(rawValue: message.method) ?? .get,
            scheme: "http",
            authority: "example.com",
            path: "/a",
            headerFields: HTTPFields(lines: lines)
        )
    }

    private static func response(_ code: Int, _ lines: [(name: String, value: String)]) -> HTTPResponse {
        var response = HTTPResponse(status: .init(code: code), headerFields: HTTPFields(lines: lines))
        if code != 204, code != 304 { response.headerFields[.contentLength] = "\(content.count)" }
        return response
    }

    // MARK: Explanation

    /// Returns the explanation of the exchange with `next` sent after some seconds.
    func explanation(after seconds: Int64, next: HTTPRequest? = nil) -> ExchangeExplanation {
        var exchange = ExplainedExchange(request: first, response: response, at: start)
        exchange.responseTime = start.advanced(by: delay)
        exchange.engine = engine
        exchange.after = .seconds(seconds)
        if let next {
            exchange.next = next
            exchange.policy = policy
        }
        return ExchangeExplanation(exchange)
    }
}
