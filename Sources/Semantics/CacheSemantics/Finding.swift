/// A rule and whether it held in one decision, with the values that were compared.
public struct Finding: Sendable, Hashable {
    /// The rule.
    public let rule: Rule
    /// Whether the rule held.
    public let held: Bool
    let numbers: Numbers

    /// The values in words, as "age 61 s, lifetime 60 s from max-age".
    public var detail: String { numbers.text }

    /// Creates a finding.
    public init(_ rule: Rule, held: Bool, _ detail: String) {
        self.init(rule, held: held, .text(detail))
    }

    init(_ rule: Rule, held: Bool, _ numbers: Numbers) {
        self.rule = rule
        self.held = held
        self.numbers = numbers
    }

    /// The values of a finding, formatted only when its text is read.
    enum Numbers: Sendable, Hashable {
        case text(String)
        case named(String, String)
        case seconds(String, Int64)
        case compared(String, Int64, String, Int64)
        case lifetime(FreshnessLifetime)
        case freshness(age: Int64, FreshnessLifetime)
        case age(CurrentAge)

        var text: String {
            switch self {
            case .text(let text): text
            case .named(let label, let name): "\(label) \(name)"
            case .seconds(let label, let seconds): "\(label) \(seconds) s"
            case .compared(let left, let leftSeconds, let right, let rightSeconds):
                "\(left) \(leftSeconds) s, \(right) \(rightSeconds) s"
            case .lifetime(let lifetime): lifetime.description
            case .freshness(let age, let lifetime): "age \(age) s, \(lifetime.description)"
            case .age(let age): age.description
            }
        }
    }
}

extension Finding: CustomStringConvertible {
    /// One line: `rfc9111.4.2.fresh held: age 59 s, lifetime 60 s from max-age (RFC 9111 §4.2)`.
    public var description: String {
        "\(rule.rawValue) \(held ? "held" : "did not hold"): \(detail) (\(rule.section))"
    }
}

/// The findings of one decision, in the order in which the rules were evaluated.
struct Trace {
    private(set) var findings: [Finding] = []

    init(capacity: Int = 8) {
        findings.reserveCapacity(capacity)
    }

    /// Adds a constant finding.
    mutating func note(_ finding: Finding) { findings.append(finding) }

    /// Adds a finding and returns whether the rule held.
    @discardableResult
    mutating func note(_ rule: Rule, _ held: Bool, _ numbers: Finding.Numbers) -> Bool {
        findings.append(Finding(rule, held: held, numbers))
        return held
    }

    /// Adds a finding in words and returns whether the rule held.
    @discardableResult
    mutating func note(_ rule: Rule, _ held: Bool, _ detail: String) -> Bool {
        note(rule, held, .text(detail))
    }
}
