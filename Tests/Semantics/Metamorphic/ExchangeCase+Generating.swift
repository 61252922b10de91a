import CacheSemantics

extension ExchangeCase {
    /// Creates the case of a seed.
    public init(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        isShared = numbers.once(in: 2)
        if numbers.once(in: 6) { policy = numbers.one(of: RequestCachePolicy.allCases) }
        delay = numbers.one(of: [0, 0, 1, 5])
        wait = numbers.one(of: [0, 1, 10, 59, 60, 61, 100, 3_600, 100_000])
        first = Self.request(&numbers)
        answer = Self.response(&numbers)
        second = Self.request(&numbers)
        // Most second requests select the response to the first.
        if !numbers.once(in: 3) { second = first }
        second.method = numbers.one(of: ["GET", "GET", "GET", "GET", "HEAD", "POST"])
        second.lines += Self.directives(&numbers, Self.requestDirectives, once: 3)
        second.lines += Self.conditions(&numbers)
        reply = numbers.once(in: 6) ? nil : Self.secondReply(&numbers, answer)
    }

    // MARK: Requests

    private static func request(_ numbers: inout SeededNumbers) -> Message {
        var message = Message()
        message.add(
            &numbers,
            "Accept-Language",
            ["en", "en, de;q=0.5", "de;q=0.5, en", "en;q=1.0,de", "fr;q=0"]
        )
        message.add(&numbers, "Accept-Encoding", ["gzip", "gzip, br", "identity;q=0, gzip", "*"])
        message.add(&numbers, "Foo", ["1", "2", "1, 2", "a \"b, c\" d", ""])
        if numbers.once(in: 5) { message.add("Authorization", .text("Basic YTpi")) }
        if numbers.once(in: 5) { message.add("Cookie", .text("a=1; b=2")) }
        if numbers.once(in: 8) { message.add("Cache-Control", .text("no-store")) }
        return message
    }

    private static func conditions(_ numbers: inout SeededNumbers) -> [Line] {
        var message = Message()
        if numbers.once(in: 4) {
            let tags = ["\"v1\"", "W/\"v1\"", "\"v0\", \"v1\"", "\"v0\", W/\"v2\"", "*", "\"a,b\", \"v1\""]
            message.add("If-None-Match", .text(numbers.one(of: tags)))
        }
        if numbers.once(in: 5) { message.add("If-Modified-Since", date(&numbers, [-86_400, -100, 0, 50])) }
        if numbers.once(in: 6) {
            message.add(
                "Range",
                .text(numbers.one(of: ["bytes=0-4", "bytes=-3", "bytes=20-", "bytes=1-2, 4-5"]))
            )
        }
        if numbers.once(in: 8) { message.add("Pragma", .text("no-cache")) }
        return message.lines
    }

    private static let requestDirectives = [
        "max-age=0", "max-age=60", "max-age=\"61\"", "max-stale", "max-stale=10", "max-stale=100000",
        "min-fresh=10", "min-fresh=3600", "no-cache", "no-store", "only-if-cached", "stale-if-error=100",
        "unknown=\"a, no-store\"", "MAX-AGE=1",
    ]

    // MARK: Responses

    private static func response(_ numbers: inout SeededNumbers) -> Message {
        var message = Message()
        message.status = numbers.one(of: [200, 200, 200, 200, 200, 203, 204, 301, 302, 404, 410, 500, 503])
        if !numbers.once(in: 5) { message.add("Date", date(&numbers, [0, 0, 0, -30, -100, 5, 100])) }
        message.lines += directives(&numbers, responseDirectives, once: 1)
        if numbers.once(in: 4) { message.add("Expires", expires(&numbers)) }
        message.add(&numbers, "Age", ["0", "5", "59", "100", "-1", "x"])
        if numbers.once(in: 2) { message.add("Last-Modified", date(&numbers, [-86_400, -1_000, -100, 0])) }
        if numbers.once(in: 2) {
            message.add("ETag", .text(numbers.one(of: ["\"v1\"", "W/\"v1\"", "\"a,b\"", "v1"])))
        }
        if numbers.once(in: 3) { message.lines += vary(&numbers) }
        message.add(&numbers, "Connection", ["close", "close, X-A", "x-a , keep-alive"])
        message.add(&numbers, "X-A", ["1", "a, b"])
        message.add(&numbers, "Content-Type", ["text/plain"])
        return message
    }

    private static let responseDirectives = [
        "max-age=60", "max-age=60", "max-age=0", "max-age=3600", "max-age=\"60\"", "max-age=x", "MAX-AGE=30",
        "s-maxage=100", "s-maxage=1", "no-cache", "no-cache=\"X-A, Set-Cookie\"", "no-store", "private",
        "private=\"x-a\"", "public", "must-revalidate", "proxy-revalidate", "must-understand", "immutable",
        "stale-while-revalidate=100", "stale-if-error=100", "no-transform", "unknown",
        "other=\"no-store, x\"",
    ]

    private static func expires(_ numbers: inout SeededNumbers) -> Value {
        numbers.once(in: 3)
            ? .text(numbers.one(of: ["0", "-1", "soon", "Thu, 01 Jan 2026 00:00:00 CET"]))
            : date(&numbers, [0, 60, 61, 3_600, -10])
    }

    private static func vary(_ numbers: inout SeededNumbers) -> [Line] {
        var message = Message()
        let names = [
            "Accept-Language", "Accept-Encoding", "Foo", "foo, Accept-Language", "*", "Bar", "Foo, *",
        ]
        message.add("Vary", .text(numbers.one(of: names)))
        if numbers.once(in: 3) { message.add("Vary", .text(numbers.one(of: names))) }
        return message.lines
    }

    private static func secondReply(_ numbers: inout SeededNumbers, _ answer: Message) -> Message {
        var message = response(&numbers)
        message.status = numbers.one(of: [304, 304, 304, 200, 404, 500, 503])
        guard message.status == 304, numbers.once(in: 2) else { return message }
        message.lines.removeAll { $0.name == "ETag" || $0.name == "Last-Modified" }
        message.lines += answer.lines.filter { $0.name == "ETag" || $0.name == "Last-Modified" }
        return message
    }

    // MARK: Values

    private static func date(_ numbers: inout SeededNumbers, _ offsets: [Int64]) -> Value {
        let forms: [DateForm] = [.usual, .usual, .usual, .rfc850, .asctime]
        return .date(numbers.one(of: offsets), numbers.one(of: forms))
    }

    /// Returns up to three directives, in one or two lines; sometimes none.
    private static func directives(
        _ numbers: inout SeededNumbers,
        _ all: [String],
        once count: Int
    ) -> [Line] {
        guard numbers.once(in: count), !numbers.once(in: 6) else { return [] }
        let chosen = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in numbers.one(of: all) }
        guard chosen.count > 1, numbers.once(in: 3) else {
            return [Line(name: "Cache-Control", value: .text(chosen.joined(separator: ", ")))]
        }
        return [
            Line(name: "Cache-Control", value: .text(chosen[0])),
            Line(name: "Cache-Control", value: .text(chosen.dropFirst().joined(separator: ", "))),
        ]
    }
}

extension ExchangeCase.Message {
    fileprivate mutating func add(_ name: String, _ value: ExchangeCase.Value) {
        lines.append(ExchangeCase.Line(name: name, value: value))
    }

    /// Adds one of the values, in one of three cases.
    fileprivate mutating func add(_ numbers: inout SeededNumbers, _ name: String, _ values: [String]) {
        if numbers.once(in: 3) { add(name, .text(numbers.one(of: values))) }
    }
}
