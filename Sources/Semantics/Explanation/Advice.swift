import CacheSemantics
import HTTPTypes

/// Something that the author of a response may want to change.
public struct Advice: Sendable, Hashable {
    /// How much it matters.
    public enum Weight: String, Sendable, Hashable, CaseIterable {
        /// It does something else than it seems to say.
        case problem
        /// It costs requests, or bytes.
        case hint
    }
    /// Lower-case words joined by `-`: what was found.
    public let id: String
    /// How much it matters.
    public let weight: Weight
    /// One sentence: what is there, and what comes of it or what to do.
    public let sentence: String
    /// The specification and section, as `RFC 9111 §5.2.2.5`.
    public let section: String

    /// All that is to be said about an exchange, in a fixed order.
    public static func all(about exchange: ExplainedExchange) -> [Advice] {
        let review = HeadReview(exchange)
        return review.ofStatus + review.ofDirectives + review.ofSpelling + review.ofStructuredFields
            + review.ofDates + review.ofValidators + review.ofVary + review.ofFreshness + review.ofSharing
            + review.ofOtherFields
    }
}

/// The head of a response under review.
struct HeadReview {
    let exchange: ExplainedExchange
    let fields: HTTPFields
    /// The directives that the response is cached by.
    let control: ResponseCacheControl
    /// The field that they are from.
    let controlName: HTTPField.Name
    /// What is stored of it; `nil` where it may not be.
    let stored: StoredResponse?
    /// What a shared cache of the same rules stores of it.
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

    /// The date of a field that has one line; `nil` where it is absent or no date.
    func date(_ name: HTTPField.Name) -> HTTPDate? {
        let lines = fields[values: name]
        return lines.count == 1 ? lines.first.flatMap(read) : nil
    }

    /// The earliest moment that a line of Expires tells.
    var expires: HTTPDate? { fields[values: .expires].compactMap(read).min() }

    func read(_ text: String) -> HTTPDate? { HTTPDate(parsing: text, now: received) }

    func problem(_ id: String, _ sentence: String, _ section: String) -> Advice {
        Advice(id: id, weight: .problem, sentence: sentence + ".", section: section)
    }

    func hint(_ id: String, _ sentence: String, _ section: String) -> Advice {
        Advice(id: id, weight: .hint, sentence: sentence + ".", section: section)
    }
}
