import CacheSemantics
import HTTPTypes

/// Advice for the author of a response.
public struct Advice: Sendable, Hashable {
    /// The severity of advice.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Weight: String, Sendable, Hashable, CaseIterable {
        /// The response does not have the effect that it seems to have.
        case problem
        /// The response causes unnecessary requests or transfers.
        case hint
    }
    /// An identifier of the finding: lower-case words joined by `-`.
    public let id: String
    /// The severity.
    public let weight: Weight
    /// One sentence: the finding, and its consequence or remedy.
    public let sentence: String
    /// The specification and section, as `RFC 9111 §5.2.2.5`.
    public let section: String

    /// Returns all advice on an exchange, in a fixed order.
    public static func all(about exchange: ExplainedExchange) -> [Advice] {
        let review = HeadReview(exchange)
        return review.ofStatus + review.ofDirectives + review.ofSpelling + review.ofStructuredFields
            + review.ofDates + review.ofValidators + review.ofVary + review.ofDictionaries + review.ofDigests
            + review.ofFreshness + review.ofSharing + review.ofQueries
            + review.ofOtherFields
    }
}

/// The head of a response under review.
struct HeadReview {
    let exchange: ExplainedExchange
    let fields: HTTPFields
    /// The directives that apply to the response.
    let control: ResponseCacheControl
    /// The field that contains them.
    let controlName: HTTPField.Name
    /// The stored response; `nil` if it may not be stored.
    let stored: StoredResponse?
    /// The response as stored by a shared cache with the same options.
    let storedByShared: StoredResponse?

    init(_ exchange: ExplainedExchange) {
        self.exchange = exchange
        fields = exchange.response.headerFields
        let (control, target) = exchange.engine.directives(of: exchange.response)
        self.control = control
        controlName = target ?? .cacheControl
        stored = exchange.storing().stored
        var shared = exchange
        shared.engine.kind = .shared
        storedByShared = shared.storing().stored
    }

    var status: Int { exchange.response.status.code }
    var received: HTTPDate { exchange.responseTime }

    /// Returns the date of a field with a single line; `nil` if it is absent or invalid.
    func date(_ name: HTTPField.Name) -> HTTPDate? {
        let lines = fields[values: name]
        return lines.count == 1 ? lines.first.flatMap(read) : nil
    }

    /// The earliest date of the lines of Expires.
    var expires: HTTPDate? { fields[values: .expires].compactMap(read).min() }

    func read(_ text: String) -> HTTPDate? { HTTPDate(parsing: text, now: received) }

    func problem(_ id: String, _ sentence: String, _ section: String) -> Advice {
        Advice(id: id, weight: .problem, sentence: sentence + ".", section: section)
    }

    func hint(_ id: String, _ sentence: String, _ section: String) -> Advice {
        Advice(id: id, weight: .hint, sentence: sentence + ".", section: section)
    }
}
