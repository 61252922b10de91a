import JSON

/// The result of one test, regardless of other tests' results.
public enum SuiteResult: Sendable, Hashable {
    /// Every check held.
    case passed
    /// A check failed.
    case failed(Failure)

    /// The first check that failed.
    public struct Failure: Sendable, Hashable, Error {
        /// The names that the suite's results give to failures.
        public enum Name: String, Sendable, Hashable {
            /// The subject of the test failed.
            case assertion = "Assertion"
            /// The preparation of the test failed, so there is no result.
            case setup = "Setup"
            /// A request took too long.
            case timeout = "AbortError"
            /// There was no response, or no record of a request.
            case noResponse = "TypeError"
            /// The harness could not continue.
            case harness = "Error"
        }
        /// The name of the error in the suite's results.
        public var name: Name
        /// One sentence; `retry` if the cache sent a request twice.
        public var message: String
        /// The request, from 1.
        public var request: Int
        /// The member of the request object that was checked.
        public var member: String
        /// The expected value.
        public var expected: String
        /// The value that was seen.
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

/// The class of a test's result, given the results of the tests that it depends on.
public enum SuiteClass: String, Sendable, Hashable, CaseIterable {
    /// A required or optimal test passed.
    case pass
    /// A required test failed.
    case fail
    /// An optimal test failed.
    case optionalFail = "optional_fail"
    /// A check passed.
    case yes
    /// A check failed.
    case no
    /// The preparation of the test failed.
    case setupFail = "setup_fail"
    /// The cache sent a request twice.
    case retry
    /// A test that it depends on did not pass.
    case dependencyFail = "dependency_fail"
    /// A request took too long, or the harness could not continue.
    case harnessFail = "harness_fail"
    /// The test was not run.
    case untested

    /// Classifies a result whose dependencies passed.
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

    /// Whether tests that depend on a test of this class can be judged.
    public var holds: Bool { self == .pass || self == .yes }
}
