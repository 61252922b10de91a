import Clocks
import LocatedYAML
import OriginScript

/// A request of a scenario that is written in Swift; the literal `"/a?b"` is a GET of that path and query.
public struct ScenarioRequest: Sendable, ExpressibleByStringLiteral {
    /// The path, from `/`, and the query.
    public var target: String
    /// The method, such as `GET`.
    public var method: String
    /// The field lines, in order.
    public var fields: [(name: String, value: String)]
    /// The content; `nil` if there is none.
    public var body: String?

    /// Creates a request; by default a GET without fields and content.
    public init(
        _ target: String,
        method: String = "GET",
        fields: KeyValuePairs<String, String> = [:],
        body: String? = nil
    ) {
        (self.target, self.method, self.body) = (target, method, body)
        self.fields = fields.map { ($0.key, $0.value) }
    }

    /// Creates a GET of a path with or without a query.
    public init(stringLiteral value: String) { self.init(value) }

    func step(at position: Position) -> RequestStep {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var step = RequestStep(position: position)
        step.path = parts[0].hasPrefix("/") ? String(parts[0]) : "/" + parts[0]
        step.query = parts.count > 1 ? String(parts[1]) : nil
        step.method = method
        step.fields = fields.map { FieldLine($0.name, .text($0.value)) }
        step.body = body.map { .text($0) }
        return step
    }
}

/// The expected response of a scenario that is written in Swift; `nil` and empty values match anything.
public struct ResponseExpectation: Sendable, Hashable {
    /// The permitted sources of the response.
    public var sources: [Provenance]
    /// The status code.
    public var status: Int?
    /// The content as text.
    public var body: String?
    /// The current age.
    public var age: Duration?
    /// Whether the response is stale.
    public var isStale: Bool?
    /// Values of header fields, by name; the lines of a field are joined by `, `.
    public var fields: [String: String] = [:]
    /// The names of header fields that the response must not have.
    public var absentFields: [String] = []

    /// Creates an expectation, by default one that any response meets.
    public init(
        source: Provenance? = nil,
        status: Int? = nil,
        body: String? = nil,
        age: Duration? = nil,
        isStale: Bool? = nil
    ) {
        sources = source.map { [$0] } ?? []
        (self.status, self.body, self.age, self.isStale) = (status, body, age, isStale)
    }

    func located(at position: Position) -> CallerExpectation {
        var expectation = CallerExpectation()
        if !sources.isEmpty { expectation.sources = Located(sources, at: position) }
        expectation.statuses = status.map { Located([$0], at: position) }
        expectation.body = body.map { Located(.text($0), at: position) }
        expectation.age = age.map { Located(.equal($0.seconds), at: position) }
        expectation.isStale = isStale.map { Located($0, at: position) }
        let present = fields.sorted { $0.key < $1.key }.map { name, value in
            FieldExpectation(name: name, value: .equal(.text(value)))
        }
        let absent = absentFields.map { FieldExpectation(name: $0, value: .absent) }
        expectation.fields = (present + absent).map { Located($0, at: position) }
        return expectation
    }
}
