/// A generator of random numbers whose whole output follows from its seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates it.
    public init(seed: UInt64) { state = seed }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Generates sequences.
///
/// Each uses only some of the features, so that rare combinations of a few occur.
public struct SequenceGenerator {
    private enum Feature: CaseIterable {
        case variants, weakTags, ranges, head, unsafe, credentials, wishes, staleExtensions, failures, skew
        case concurrency, qualified, conditions, oddNotModified, statuses, delays, backwardClock, expires
        case content, shortNotModified, restrictions, reloads, mixedVary, staleUse, boundaries, spelling
        case overtaking
    }

    private var random: SeededGenerator
    private var features: Set<Feature> = []

    private init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        features = Set(Feature.allCases.filter { _ in chance(30) })
    }

    /// Returns the sequence of a seed.
    public static func sequence(seed: UInt64) -> ExchangeSequence {
        var generator = SequenceGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D)
        return generator.sequence()
    }

    // MARK: Choices

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func uses(_ feature: Feature, _ percent: Int) -> Bool {
        features.contains(feature) && chance(percent)
    }

    // MARK: Sequences

    private mutating func sequence() -> ExchangeSequence {
        var resources = [resource("/a")]
        if chance(20) { resources.append(resource("/b")) }
        var steps: [Step] = []
        for _ in 0..<Int.random(in: 2...7, using: &random) {
            if chance(55), !steps.isEmpty { steps.append(.advance(interval())) }
            steps.append(calls(resources))
        }
        return ExchangeSequence(isShared: chance(50), resources: resources, steps: steps)
    }

    private mutating func resource(_ path: String) -> Resource {
        let tags: [Resource.Tags] =
            features.contains(.weakTags) ? [.weak, .weakForAllVariants] : [.strong, .strong, .none]
        let selecting: [[String]] =
            features.contains(.variants)
            ? [["accept-language"], ["accept-language"], ["x-sel"], ["accept-language", "x-sel"]] : [[]]
        return Resource(
            path: path,
            tags: pick(tags),
            modified: pick([.unknown, .longAgo, .longAgo, .justNow]),
            selecting: pick(selecting)
        )
    }

    private mutating func interval() -> Int {
        if uses(.backwardClock, 20) { return pick([-1, -5, -100]) }
        // A lifetime, or the end of a stale or required time after it or before it, to the second.
        if uses(.boundaries, 70) { return pick([1, 5, 10, 20, 60]) + pick([-3, -1, 0, 0, 1, 3, 5, 10, 20]) }
        return pick([0, 1, 1, 2, 4, 5, 6, 9, 10, 11, 15, 20, 21, 60, 100])
    }

    private mutating func calls(_ resources: [Resource]) -> Step {
        if uses(.overtaking, 30) { return overtaken(pick(resources)) }
        let count = uses(.concurrency, 50) ? Int.random(in: 2...3, using: &random) : 1
        let calls = (0..<count).map { _ in call(pick(resources)) }
        return .calls(calls, order: Array(0..<count).shuffled(using: &random))
    }

    /// Returns a request, possibly for a part or a validation, that an unsafe request overtakes.
    ///
    /// The origin answers it before that request, but the cache receives the answer after the response to that. A further
    /// response may arrive in between.
    private mutating func overtaken(_ resource: Resource) -> Step {
        var calls = [call(resource, "GET"), call(resource, "GET")]
        if chance(60) { calls[0].request.fields["range"] = pick(["bytes=0-4", "bytes=3-", "bytes=-4"]) }
        for place in calls.indices {
            for index in calls[place].answers.indices {
                calls[place].answers[index].isComposedEarly = true
                calls[place].answers[index].status = 200
                calls[place].answers[index].fails = false
            }
        }
        var unsafe = call(resource, pick(["POST", "PUT", "DELETE"]))
        unsafe.answers = [answer()]
        unsafe.answers[0].status = pick([200, 204])
        unsafe.answers[0].fails = false
        return chance(50)
            ? .calls([calls[0], unsafe], order: [1, 0]) : .calls(calls + [unsafe], order: [2, 0, 1])
    }

    // MARK: Requests

    private mutating func call(_ resource: Resource, _ method: String? = nil) -> Call {
        var request = OracleRequest(
            method: method ?? self.method(),
            target: resource.target,
            fields: FieldSection()
        )
        request.hasContent = ["POST", "PUT", "PATCH"].contains(request.method) || uses(.content, 15)
        if features.contains(.variants) || features.contains(.mixedVary) {
            request.fields["accept-language"] = pick(["en", "en", "de", "de, en", "de,en", "EN", nil])
            request.fields["x-sel"] = pick(["a", "a", "b", nil])
        }
        if uses(.credentials, 50) { request.fields["authorization"] = pick(["Basic dTpw", "Basic djpw"]) }
        if uses(.wishes, 40) {
            request.fields["cache-control"] = pick([
                "max-age=3", "max-age=10", "min-fresh=3", "min-fresh=20", "max-stale", "max-stale=5",
                "max-stale=1", "no-store", "only-if-cached", "stale-if-error=10", "max-age=20, max-stale=5",
                "only-if-cached, max-stale",
            ])
        }
        if uses(.staleUse, 50) {
            request.fields["cache-control"] = pick([
                "max-stale", "max-stale=5", "max-stale=10", "max-stale=1", "max-stale=0", "stale-if-error=10",
                "max-age=60, max-stale=5", "min-fresh=3, max-stale=5",
            ])
        }
        if uses(.reloads, 30) { request.fields["cache-control"] = pick(["no-cache", "max-age=0"]) }
        if uses(.spelling, 40) {
            request.fields["cache-control"] = request.fields["cache-control"]?.uppercased()
        }
        if uses(.conditions, 40) { addConditions(&request, resource) }
        if uses(.ranges, 60), request.method == "GET" || chance(10) { addRange(&request, resource) }
        var answers = (0..<pick([1, 1, 2])).map { _ in answer() }
        if !request.isSafe, chance(10) { answers[0].status = 304 }
        return Call(request: request, answers: answers)
    }

    private mutating func method() -> String {
        if uses(.unsafe, 25) { return pick(["POST", "PUT", "DELETE", "PATCH", "FROB", "REPORT"]) }
        return uses(.head, 35) ? "HEAD" : "GET"
    }

    private mutating func guessedTag(_ resource: Resource) -> String {
        let variant = resource.selecting.isEmpty ? "" : pick(["en", "de", "a", "ena"])
        return GeneratedOrigin.tag(resource, variant, pick([1, 1, 2, 3])) ?? "\"none\""
    }

    private mutating func addConditions(_ request: inout OracleRequest, _ resource: Resource) {
        let date = OracleDate.format(GeneratedOrigin.modified(pick([0, 1, 2, 3])))
        if chance(60) { request.fields["if-none-match"] = chance(5) ? "*" : guessedTag(resource) }
        if chance(40) { request.fields["if-modified-since"] = date }
        if !["GET", "HEAD"].contains(request.method), chance(30) {
            request.fields["if-match"] = guessedTag(resource)
        }
    }

    private mutating func addRange(_ request: inout OracleRequest, _ resource: Resource) {
        request.fields["range"] = pick([
            "bytes=0-4", "bytes=0-4", "bytes=5-9", "bytes=3-", "bytes=-4", "bytes=2-3", "bytes=10-",
            "bytes=100-200", "bytes=-0", "bytes=0-1,4-5", "items=0-4", "bytes=5-2",
        ])
        guard chance(25) else { return }
        request.fields["if-range"] =
            chance(60) ? guessedTag(resource) : OracleDate.format(GeneratedOrigin.modified(pick([1, 2])))
    }

    // MARK: Answers

    private mutating func answer() -> Answer {
        var answer = Answer()
        answer.changes = chance(20)
        addFreshness(&answer)
        if uses(.failures, 35) {
            if chance(50) { answer.fails = true } else { answer.status = pick([500, 502, 503, 504]) }
        }
        if uses(.statuses, 35) { answer.status = pick([404, 204, 410, 301, 302, 500, 403, 203]) }
        if uses(.staleUse, 25) { answer.fails = true }
        if uses(.staleUse, 25) { answer.status = pick([400, 404, 429, 500, 501, 503, 504, 505]) }
        if uses(.skew, 40) { answer.dateOffset = pick([-100, -5, 5, 100, nil]) }
        if uses(.skew, 30) { answer.age = pick([0, 3, 10, 100]) }
        if uses(.delays, 40) { answer.delay = pick([1, 3, 6]) }
        if uses(.variants, 5) { answer.vary = pick(["*", "accept-language", "X-Sel", ""]) }
        if uses(.mixedVary, 70) {
            answer.vary = pick(["accept-language", "x-sel", "Accept-Language, X-Sel", ""])
            answer.dateOffset = pick([-5, -1, 0, 0, 5])
        }
        if features.contains(.qualified), chance(70) { answer.fields["x-secret"] = "secret %" }
        if chance(20) { answer.fields["x-extra"] = "extra %" }
        if chance(5) { answer.fields["set-cookie"] = "id=%" }
        if chance(5) { answer.fields["proxy-authenticate"] = "Basic realm=\"%\"" }
        if uses(.unsafe, 20) { answer.fields[pick(["location", "content-location"])] = pick(["/a", "/b"]) }
        addDeviations(&answer)
        return answer
    }

    private mutating func addDeviations(_ answer: inout Answer) {
        if uses(.oddNotModified, 25) {
            answer.forced = pick([.absent, .ofOtherVariant, .ofEarlierVersion, .weakened, .unknown])
        }
        if uses(.oddNotModified, 15) { answer.status = 206 }
        if chance(5) { answer.ignoresConditions = true }
        if uses(.ranges, 15) { answer.ignoresRange = true }
        if uses(.shortNotModified, 60) {
            answer.omitted = [
                "etag", "last-modified", "cache-control", "date", "vary", "content-length", "expires",
            ]
            .filter { _ in chance(40) }
        }
    }

    private mutating func addFreshness(_ answer: inout Answer) {
        var directives = [
            pick(["max-age=10", "max-age=10", "max-age=5", "max-age=0", "max-age=60", "max-age=1"])
        ]
        if chance(15) { directives = [] }
        if uses(.expires, 50) {
            answer.expires = pick([0, 5, 10, 60, -10, -100_000])
            if chance(70) { directives = [] }
        }
        if uses(.restrictions, 50) {
            directives += [
                pick([
                    "no-store", "no-cache", "must-revalidate", "private", "public", "proxy-revalidate",
                    "s-maxage=5", "s-maxage=20", "immutable", "must-understand, no-store", "max-age=50",
                    "max-age=x", "unknown=\"a, b\"", "x=\"open, no-store",
                ])
            ]
        }
        if uses(.credentials, 40) { directives.append(pick(["public", "s-maxage=10", "must-revalidate"])) }
        if uses(.staleExtensions, 70) {
            directives.append(
                pick([
                    "stale-while-revalidate=10", "stale-if-error=20", "stale-if-error=0",
                    "stale-while-revalidate=0", "stale-while-revalidate=60, stale-if-error=60",
                ])
            )
        }
        if uses(.qualified, 60) {
            directives.append(
                pick(["no-cache=\"x-secret\"", "private=\"X-Secret\"", "private=\"x-secret, x-extra\""])
            )
        }
        if uses(.staleUse, 50) {
            directives.append(
                pick([
                    "proxy-revalidate", "must-revalidate", "s-maxage=1", "stale-if-error=5",
                    "stale-if-error=60", "stale-while-revalidate=5",
                ])
            )
        }
        // What an open string hides of other strings is nobody's to say (RFC 9110 §5.6.4).
        let isOpen = directives.contains { $0.hasPrefix("x=") }
        if isOpen { directives.removeAll { $0.contains("\"") && !$0.hasPrefix("x=") } }
        directives.shuffle(using: &random)
        let spelled = directives.map { !isOpen && uses(.spelling, 40) ? spelling(of: $0) : $0 }
        let separator = uses(.spelling, 50) ? "\n" : ", "
        answer.cacheControl = spelled.isEmpty ? nil : spelled.joined(separator: separator)
    }

    /// Returns the same directive in capitals, or with its argument quoted (RFC 9111 §5.2).
    private mutating func spelling(of directive: String) -> String {
        guard chance(50), let end = directive.firstIndex(of: "="), !directive.contains("\""),
            !directive.contains(",")
        else {
            return directive.uppercased()
        }
        let argument = directive[directive.index(after: end)...]
        return directive[..<end] + "=\"\(argument)\""
    }
}
