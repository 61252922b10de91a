public import CacheSemantics

/// A request, its response, a wait, another request and its response, as data without absolute times.
public struct ExchangeCase: Sendable, CustomStringConvertible {
    /// The value of a field.
    public enum Value: Sendable, CustomStringConvertible {
        /// A literal text.
        case text(String)
        /// A date, as seconds after the beginning, in one of the three forms.
        case date(Int64, DateForm)

        /// As a case is printed.
        public var description: String {
            switch self {
            case .text(let text): text
            case .date(let offset, let form): "<\(offset) s, \(form)>"
            }
        }
    }
    /// The forms of a date (RFC 9110 §5.6.7).
    public enum DateForm: Sendable, CaseIterable {
        case usual, rfc850, asctime
    }
    /// A field line.
    public struct Line: Sendable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: Value
    }
    /// A head.
    public struct Message: Sendable, CustomStringConvertible {
        /// Status of a response.
        public var status = 200
        /// Method of a request.
        public var method = "GET"
        /// Lines, in order.
        public var lines: [Line] = []

        /// As a case is printed.
        public var description: String { lines.map { "\n    \($0.name): \($0.value)" }.joined() }
    }
    /// Whether the cache is shared.
    public var isShared = false
    /// The policy of the second request.
    public var policy = RequestCachePolicy.useProtocolCachePolicy
    /// The first request.
    public var first = Message()
    /// Its answer.
    public var answer = Message()
    /// Seconds between the first request and its answer.
    public var delay: Int64 = 0
    /// Seconds between the answer and the second request.
    public var wait: Int64 = 0
    /// The second request.
    public var second = Message()
    /// Its answer; `nil` for an unreachable origin.
    public var reply: Message? = Message()

    /// The case as a failing test prints it.
    public var description: String {
        """
        \(isShared ? "shared" : "private") cache, \(policy)
          GET\(first)
          after \(delay) s: \(answer.status)\(answer)
          after \(wait) s: \(second.method)\(second)
          \(reply.map { "\($0.status)\($0)" } ?? "unreachable")
        """
    }

    /// The cases with one line less than this, or with an unreachable origin instead of a reply.
    var simpler: [ExchangeCase] {
        var found: [ExchangeCase] = []
        for path in [\ExchangeCase.first, \.answer, \.second] {
            for index in self[keyPath: path].lines.indices {
                var copy = self
                copy[keyPath: path].lines.remove(at: index)
                found.append(copy)
            }
        }
        for index in (reply?.lines ?? []).indices {
            var copy = self
            copy.reply?.lines.remove(at: index)
            found.append(copy)
        }
        if reply != nil {
            var copy = self
            copy.reply = nil
            found.append(copy)
        }
        return found
    }

    /// Returns the simplest case that still `fails`, found by leaving out lines.
    public func shrunk(_ fails: (ExchangeCase) -> Bool) -> ExchangeCase {
        var current = self
        while let next = current.simpler.first(where: fails) { current = next }
        return current
    }
}
