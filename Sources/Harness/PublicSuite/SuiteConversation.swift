public import OriginScript
import WireSyntax

/// One test that is being run: returns the next action, receives its result and judges it; performs no I/O.
public struct SuiteConversation: Sendable {
    /// The next action.
    public enum Action: Sendable {
        /// Send a request and pass the outcome to `receive(_:)`.
        case send(SuiteCall)
        /// Let time pass.
        case pause(Duration)
        /// Request the origin's record and pass it to `receive(state:)`.
        case readState
        /// End the test with this result.
        case finish(SuiteResult)
    }
    /// The time limit of a request that the suite's own client sets.
    public static let usualTimeLimit = Duration.seconds(10)
    /// The time limit of a request.
    public let timeLimit: Duration
    private static let pause = Duration.seconds(3)
    private let test: SuiteTest
    private let id: String
    private let dialect: SuiteDialect
    private let isFetched: Bool
    private var responses: [SuiteResponse?] = []
    private var isPauseDue = false
    private var result: SuiteResult?

    /// Creates a conversation; `id` identifies the test at the origin.
    ///
    /// With `isFetched`, requests to a proxy have the form that the suite's own client, which uses `fetch`, gives them;
    /// this would mislead a client's own cache. By default they have the form that the test describes.
    public init(
        _ test: SuiteTest,
        id: String,
        dialect: SuiteDialect,
        isFetched: Bool = false,
        timeLimit: Duration = Self.usualTimeLimit
    ) {
        self.test = test
        self.id = id
        self.dialect = dialect
        self.isFetched = isFetched
        self.timeLimit = timeLimit
    }

    /// Returns the next action.
    public mutating func next() -> Action {
        if let result { return .finish(result) }
        if isPauseDue {
            isPauseDue = false
            return .pause(Self.pause)
        }
        let index = responses.count
        guard index < test.requests.count else { return .readState }
        return .send(call(test.requests[index], number: index + 1))
    }

    /// Receives the result of the request that was sent.
    public mutating func receive(_ reply: SuiteReply) {
        let number = responses.count + 1
        let request = test.requests[responses.count]
        do throws(SuiteResult.Failure) {
            responses.append(try judge(reply, request, number))
            isPauseDue = request.pausesAfter
        } catch {
            result = .failed(error)
        }
    }

    /// Receives the origin's record, after the last request.
    public mutating func receive(state: [StateEntry]) {
        let check = StateCheck(requests: test.requests, responses: responses, state: state, dialect: dialect)
        do throws(SuiteResult.Failure) {
            try check.run()
            result = .passed
        } catch {
            result = .failed(error)
        }
    }

    /// Ends the test because the harness cannot continue.
    public mutating func fail(_ reason: String) {
        result = .failed(harnessFailure(reason, responses.count + 1))
    }

    // MARK: Judging

    private func judge(
        _ reply: SuiteReply,
        _ request: SuiteRequest,
        _ number: Int
    ) throws(SuiteResult.Failure) -> SuiteResponse? {
        switch reply {
        case .response(let response):
            try checkOrigin(response, request, number)
            if tellsOfDisconnect(response, request) { return nil }
            try ResponseCheck(request: request, response: response, number: number, id: id, dialect: dialect)
                .run()
            return response
        case .timedOut: throw failure(.timeout, number, "a response within \(timeLimit)", "none")
        case .failed(let reason):
            if dialect == .strict, isLeftAlone(request) { return nil }
            throw failure(.noResponse, number, "a response", reason)
        }
    }

    /// Whether a broken connection is expected: reporting it to the caller uses no stored response.
    private func isLeftAlone(_ request: SuiteRequest) -> Bool {
        request.element.disconnects && request.expectedType != .cached
    }

    /// Whether a cache reports the broken connection by its own error (RFC 9111 §5.2.2.2), which has no count.
    private func tellsOfDisconnect(_ response: SuiteResponse, _ request: SuiteRequest) -> Bool {
        dialect == .strict && isLeftAlone(request) && (500...599).contains(response.status)
            && response.field(SuiteFieldName.serverRequestCount) == nil
    }

    /// Throws if the response is a 409 of the origin itself, which is not the cache's doing.
    private func checkOrigin(
        _ response: SuiteResponse,
        _ request: SuiteRequest,
        _ number: Int
    ) throws(SuiteResult.Failure) {
        guard response.status == 409, response.field(SuiteFieldName.serverRequestCount) == nil,
            request.element.status?.code != 409
        else { return }
        throw harnessFailure("the origin does not know the test or the request", number)
    }

    private func harnessFailure(_ reason: String, _ number: Int) -> SuiteResult.Failure {
        failure(.harness, number, "a test that can be run", reason)
    }

    private func failure(
        _ name: SuiteResult.Failure.Name,
        _ number: Int,
        _ expected: String,
        _ seen: String
    ) -> SuiteResult.Failure {
        SuiteResult.Failure(name, request: number, member: "response", expected: expected, seen: seen)
    }

    // MARK: Requests

    private func call(_ request: SuiteRequest, number: Int) -> SuiteCall {
        let path = "/test/" + id + (request.filename.map { "/" + $0 } ?? "")
        let fields = fields(of: request, number: number)
        return SuiteCall(
            number: number,
            method: request.method,
            target: path + (request.query.map { "?" + $0 } ?? ""),
            fields: isFetched ? Self.fetched(fields) : fields,
            body: request.body.map { Array($0.utf8) },
            followsRedirects: request.followsRedirects,
            cacheMode: request.cacheMode,
            position: request.position
        )
    }

    /// Returns the lines that the test describes, and those by which the origin knows the request.
    private func fields(of request: SuiteRequest, number: Int) -> [(String, String)] {
        var fields = request.fields.map { ($0.name, text($0, in: request)) }
        if request.body != nil, !has(SuiteFieldName.contentType, fields) {
            fields.append((SuiteFieldName.contentType, "text/plain;charset=UTF-8"))
        }
        fields += [
            (SuiteFieldName.testName, Self.latin1(test.name)), (SuiteFieldName.testID, id),
            (SuiteFieldName.requestNumber, String(number)),
        ]
        return fields
    }

    /// Returns the lines as the suite's own client sends them: two lines come first, to keep `fetch` from adding
    /// others, and `fetch` joins lines with the same name.
    private static func fetched(_ lines: [(String, String)]) -> [(String, String)] {
        let first = [(SuiteFieldName.pragma, "foo"), (SuiteFieldName.cacheControl, "nothing-to-see-here")]
        var joined: [(name: String, value: String)] = []
        for (name, value) in first + lines {
            if let index = joined.firstIndex(where: { $0.name.asciiLowercased == name.asciiLowercased }) {
                joined[index].value += ", " + value
            } else {
                joined.append((name, value))
            }
        }
        return joined
    }

    private func has(_ name: String, _ fields: [(String, String)]) -> Bool {
        fields.contains { $0.0.asciiLowercased == name.asciiLowercased }
    }

    private func text(_ field: SuiteField, in request: SuiteRequest) -> String {
        let previous = responses.last.flatMap { $0 }?.number(SuiteFieldName.serverNow)
        let magic = MagicValue(
            nowMilliseconds: previous,
            baseURL: nil,
            hasMagicLocations: false,
            rfc850Names: request.element.rfc850Names
        )
        let value = request.hasMagicDate ? magic.rewrite(field.value, of: field.name) : field.value
        return value.plainText.trimmingWhitespace
    }

    /// Returns a title without characters that no field can contain.
    private static func latin1(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? $0 : "?" })
        )
    }
}
