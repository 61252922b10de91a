import JSON

/// What came of one test, before other tests' results are looked at.
public enum SuiteResult: Sendable, Hashable {
    /// Every check held.
    case passed
    /// One did not.
    case failed(Failure)

    /// The first check that did not hold.
    public struct Failure: Sendable, Hashable, Error {
        /// The names that the suite's results give to failures.
        public enum Name: String, Sendable, Hashable {
            /// What the test is about does not hold.
            case assertion = "Assertion"
            /// What the test prepares does not hold, so that nothing is said.
            case setup = "Setup"
            /// A request took too long.
            case timeout = "AbortError"
            /// There was no response, or no record of a request.
            case noResponse = "TypeError"
            /// The harness could not go on.
            case harness = "Error"
        }
        /// Its name.
        public var name: Name
        /// One sentence; `retry` where the cache sent a request twice.
        public var message: String
        /// The request, from 1.
        public var request: Int
        /// The member of the request object that was checked.
        public var member: String
        /// What was expected.
        public var expected: String
        /// What was seen.
        public var seen: String
    }

    /// The suite's message for a cache that sent a request twice.
    public static let retryMessage = "retry"

    /// The value in the suite's results format: `true` or `["Name","message"]`.
    public var json: String { value.written() }

    fileprivate var value: JSONValue {
        switch self {
        case .passed: true
        case .failed(let failure): JSONValue([failure.name.rawValue, failure.message])
        }
    }
}

extension [String: SuiteResult] {
    /// The results in the suite's format, sorted by id.
    public var suiteResultsJSON: String {
        let lines = sorted { Array($0.key.utf16).lexicographicallyPrecedes(Array($1.key.utf16)) }
            .map { "  \(JSONValue.quoted($0.key)): \($0.value.json)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
}

/// How a test counts, with the results of those it depends on.
public enum SuiteClass: String, Sendable, Hashable, CaseIterable {
    /// A required or optimal test holds.
    case pass
    /// A required one does not.
    case fail
    /// An optimal one does not.
    case optionalFail = "optional_fail"
    /// A check says yes.
    case yes
    /// A check says no.
    case no
    /// What it prepares did not work.
    case setupFail = "setup_fail"
    /// The cache sent a request twice.
    case retry
    /// A test that it depends on does not hold.
    case dependencyFail = "dependency_fail"
    /// A request took too long, or the harness could not go on.
    case harnessFail = "harness_fail"
    /// It was not run.
    case untested

    /// Returns the class of a result whose dependencies hold.
    public init(_ result: SuiteResult?, kind: SuiteTest.Kind) {
        guard let result else {
            self = .untested
            return
        }
        guard case .failed(let failure) = result else {
            self = kind == .check ? .yes : .pass
            return
        }
        switch failure.name {
        case .setup: self = failure.message == SuiteResult.retryMessage ? .retry : .setupFail
        case .timeout, .harness: self = .harnessFail
        case .assertion, .noResponse: self = Self.failure(kind)
        }
    }

    private static func failure(_ kind: SuiteTest.Kind) -> SuiteClass {
        switch kind {
        case .required: .fail
        case .optimal: .optionalFail
        case .check: .no
        }
    }

    /// Whether tests that depend on such a one say something.
    public var holds: Bool { self == .pass || self == .yes }
}
