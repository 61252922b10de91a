import OriginScript
import PublicSuite
import Testing

@Suite("Judging a test of the public suite")
struct SuiteConversationTests {
    @Test(
        "The source of a response is known from its count",
        arguments: [
            ("cached", "1" as String?, true), ("cached", "2", false), ("cached", nil, false),
            ("not_cached", "2", true),
            ("not_cached", "1", false),
        ]
    )
    func expectedType(type: String, count: String?, holds: Bool) throws {
        let result = try second(
            #"{"expected_type":"\#(type)"}"#,
            fields: count.map { [("Server-Request-Count", $0)] } ?? []
        )
        #expect((result?.failureName == nil) == holds)
    }

    @Test("A 304 without a count is a response from the cache")
    func notModified() throws {
        let result = try second(
            #"{"expected_type":"cached","expected_status":304}"#,
            status: 304,
            fields: [],
            body: ""
        )
        #expect(result?.failureName == nil)
    }

    @Test(
        "The first failure decides, and a member of the preparation fails as such",
        arguments: [
            (#"{"expected_type":"cached"}"#, 200, "2" as String?, SuiteResult.Failure.Name.assertion),
            (#"{"expected_type":"cached","setup":true}"#, 200, "2", .setup),
            (#"{"expected_type":"cached","setup_tests":["expected_type"]}"#, 200, "2", .setup),
            (#"{"expected_type":"cached","setup_tests":["expected_status"]}"#, 500, "2", .assertion),
            (#"{"expected_status":200,"expected_type":"cached"}"#, 500, "1", .assertion),
            (#"{"response_status":[200,"OK"]}"#, 500, "1", .setup), ("{}", 500, "1", .setup),
            ("{}", 999, "1", .assertion), ("{}", 409, nil, .harness),
        ]
    )
    func firstFailure(json: String, status: Int, count: String?, name: SuiteResult.Failure.Name) throws {
        let fields = count.map { [("Server-Request-Count", $0)] } ?? []
        #expect(try second(json, status: status, fields: fields)?.failureName == name)
    }

    @Test("A repeated request number is a retry of the cache")
    func retry() throws {
        let result = try second("{}", fields: [("Request-Numbers", "1 2 2")])
        #expect(result == nil || result?.failureName == .setup)
        guard case .failed(let failure) = result else { throw Unexpected("it passed") }
        #expect(failure.message == "retry")
    }

    @Test(
        "Expected fields are compared in all four ways",
        arguments: [
            (#"["A"]"#, true), (#"["C"]"#, false), (#"[["A","1"]]"#, true), (#"[["a","2"]]"#, false),
            (#"[["B","=","A"]]"#, true), (#"[["A","=","C"]]"#, false), (#"[["C","=","C"]]"#, false),
            (#"[["N",">",4]]"#, true), (#"[["N",">",5]]"#, false), (#"[["Expires",60]]"#, true),
            (#"[["Expires",61]]"#, false), (#"[["D","1, 2"]]"#, true),
        ]
    )
    func responseFields(json: String, holds: Bool) throws {
        let fields = [
            ("A", "1"), ("B", "1"), ("N", "5x"), ("Server-Now", "1767225600000"), ("D", "1"), ("d", "2"),
            ("Expires", "Thu, 01 Jan 2026 00:01:00 GMT"),
        ]
        let result = try second(#"{"expected_response_headers":\#(json)}"#, fields: fields)
        #expect((result?.failureName == nil) == holds)
    }

    @Test(
        "A forbidden value is checked only when strict",
        arguments: [(SuiteDialect.compatible, true), (.strict, false)]
    )
    func missingValue(dialect: SuiteDialect, holds: Bool) throws {
        let json = #"{"expected_response_headers_missing":[["A","ab"]]}"#
        #expect((try second(json, dialect, fields: [("A", "xaby")])?.failureName == nil) == holds)
        #expect(try second(json, dialect, fields: [("A", "xy")])?.failureName == nil)
        #expect(
            try second(#"{"expected_response_headers_missing":["A"]}"#, dialect, fields: [("a", "")])?
                .failureName == .assertion
        )
    }

    @Test(
        "Interim responses are compared by status and names, and by values only when strict",
        arguments: [(SuiteDialect.compatible, true), (.strict, false)]
    )
    func interim(dialect: SuiteDialect, holds: Bool) throws {
        let json = #"{"expected_interim_responses":[[102],[103,[["link","</a>"]]]]}"#
        let right = [(102, []), (103, [("Link", "</b>")])]
        #expect((try second(json, dialect, fields: [], interim: right)?.failureName == nil) == holds)
        #expect(try second(json, dialect, fields: [], interim: [(102, [])])?.failureName == .assertion)
        #expect(
            try second(json, dialect, fields: [], interim: right + [(102, [])])?.failureName == .assertion
        )
        #expect(
            try second(json, dialect, fields: [], interim: [(102, []), (103, [])])?.failureName == .assertion
        )
    }

    @Test(
        "Content is the expected one, or the scripted one, or the id",
        arguments: [
            (#"{"expected_response_text":"x"}"#, "x", nil),
            (#"{"expected_response_text":"x"}"#, "id", SuiteResult.Failure.Name.assertion),
            (#"{"expected_response_text":null}"#, "y", nil), (#"{"response_body":"x"}"#, "y", .setup),
            (#"{"response_body":"x","check_body":false}"#, "y", nil), (#"{"response_body":null}"#, "id", nil),
            ("{}", "y", .setup), (#"{"request_method":"HEAD"}"#, "", nil),
        ]
    )
    func content(json: String, body: String, name: SuiteResult.Failure.Name?) throws {
        #expect(try second(json, fields: [], body: body)?.failureName == name)
    }

    @Test("The state is compared without requests that were answered from the cache")
    func state() throws {
        var conversation = try conversation(
            #"[{},{"expected_type":"cached"},{"expected_type":"not_cached"}]"#
        )
        for (number, count) in [(1, "1"), (2, "1"), (3, "3")] {
            guard case .send(let call) = conversation.next() else { throw Unexpected("no request") }
            #expect(call.number == number)
            conversation.receive(
                .response(
                    .init(status: 200, fields: [("Server-Request-Count", count)], body: Array("id".utf8))
                )
            )
        }
        guard case .readState = conversation.next() else { throw Unexpected("no state asked for") }
        conversation.receive(state: [entry(1), entry(3)])
        #expect(conversation.result?.failureName == nil)
    }

    @Test(
        "The origin's record is compared",
        arguments: [
            (
                #"{"expected_type":"etag_validated"}"#, [("if-none-match", "x")],
                nil as SuiteResult.Failure.Name?
            ),
            (#"{"expected_type":"etag_validated"}"#, [("if-modified-since", "x")], .assertion),
            (#"{"expected_type":"lm_validated"}"#, [("if-modified-since", "x")], nil),
            (#"{"expected_request_headers":["A",["B","1"]]}"#, [("a", "x"), ("b", "1")], nil),
            (#"{"expected_request_headers":[["B","1"]]}"#, [("b", "2")], .assertion),
            (#"{"expected_request_headers_missing":["A",["B","1"]]}"#, [("b", "2")], nil),
            (
                #"{"expected_request_headers_missing":[["B","1"]]}"#, [("b", "1")],
                SuiteResult.Failure.Name.assertion
            ),
            (#"{"expected_method":"HEAD"}"#, [], .assertion), (#"{"expected_method":"GET"}"#, [], nil),
        ]
    )
    func requestSeen(json: String, fields: [(String, String)], name: SuiteResult.Failure.Name?) throws {
        let result = try second(json, fields: [], state: [entry(1), entry(2, fields)])
        #expect(result?.failureName == name)
    }

    @Test("A request that the origin never received is a TypeError if it is checked, and otherwise nothing")
    func missingEntry() throws {
        #expect(
            try second(#"{"expected_method":"GET"}"#, fields: [], state: [entry(1)])?.failureName
                == .noResponse
        )
        #expect(try second("{}", fields: [], state: [entry(1)])?.failureName == nil)
    }

    @Test("Fields that the origin sent must have arrived, except Date")
    func answerFields() throws {
        let sent: [StateEntry.AnswerField] = [
            .init("A", [.text("1"), .text("2")]), .init("Date", [.text("x")]),
        ]
        let state = [entry(1), entry(2, answer: sent)]
        #expect(try second("{}", fields: [("A", "1"), ("a", "2")], state: state)?.failureName == nil)
        #expect(try second("{}", fields: [("A", "1")], state: state)?.failureName == .setup)
    }

    @Test(
        "Three seconds pass after a request with a pause, and timeouts and broken connections have names of their own"
    )
    func course() throws {
        var conversation = try conversation(#"[{"pause_after":true},{}]"#)
        _ = conversation.next()
        conversation.receive(.response(.init(status: 200, fields: [], body: Array("id".utf8))))
        guard case .pause(.seconds(3)) = conversation.next() else { throw Unexpected("no pause") }
        guard case .send = conversation.next() else { throw Unexpected("no request") }
        var other = conversation
        conversation.receive(.timedOut)
        #expect(conversation.result?.failureName == .timeout)
        other.receive(.failed("broken"))
        #expect(other.result?.failureName == .noResponse)
    }

    @Test(
        "Reporting a connection that the origin broke is a failure unless strict",
        arguments: [
            (SuiteDialect.compatible, SuiteResult.Failure.Name.noResponse as SuiteResult.Failure.Name?),
            (.strict, nil),
        ]
    )
    func disconnect(dialect: SuiteDialect, name: SuiteResult.Failure.Name?) throws {
        var conversation = try conversation(#"[{"disconnect":true}]"#, dialect)
        _ = conversation.next()
        conversation.receive(.failed("broken"))
        if case .readState = conversation.next() { conversation.receive(state: [entry(1)]) }
        #expect(conversation.result?.failureName == name)
    }

    @Test("A number in If-Modified-Since counts from the origin's clock at the previous response")
    func magicDate() throws {
        var conversation = try conversation(
            #"[{},{"magic_ims":true,"request_headers":[["If-Modified-Since",-60],["A"," x "]],"query_arg":"q=1","filename":"f"}]"#
        )
        _ = conversation.next()
        conversation.receive(
            .response(.init(status: 200, fields: [("Server-Now", "1767225600999")], body: Array("id".utf8)))
        )
        guard case .send(let call) = conversation.next() else { throw Unexpected("no request") }
        #expect(call.target == "/test/id/f?q=1")
        #expect(call.fields.first?.value == "Wed, 31 Dec 2025 23:59:00 GMT")
        #expect(call.fields.first { $0.name == "A" }?.value == "x")
        #expect(call.fields.first { $0.name == "Req-Num" }?.value == "2")
        #expect(!call.fields.contains { ["pragma", "cache-control"].contains($0.name.lowercased()) })
    }

    @Test("A request sent as by fetch has two fields before its own, and one line for each name")
    func fetched() throws {
        var conversation = try conversation(
            #"[{"request_headers":[["Foo","1"],["pragma","no-cache"],["foo","2"]]}]"#,
            isFetched: true
        )
        guard case .send(let call) = conversation.next() else { throw Unexpected("no request") }
        #expect(
            call.fields.prefix(3).map { "\($0.name): \($0.value)" } == [
                "Pragma: foo, no-cache", "Cache-Control: nothing-to-see-here", "Foo: 1, 2",
            ]
        )
        #expect(call.fields.map(\.name).dropFirst(3) == ["Test-Name", "Test-ID", "Req-Num"])
    }

    @Test(
        "A cache's own 504 after a broken connection is not a response from its store when strict",
        arguments: [
            (SuiteDialect.compatible, 504, SuiteResult.Failure.Name.assertion as SuiteResult.Failure.Name?),
            (.strict, 504, nil), (.strict, 200, .assertion),
        ]
    )
    func gatewayTimeout(dialect: SuiteDialect, status: Int, name: SuiteResult.Failure.Name?) throws {
        let json = #"{"disconnect":true,"expected_type":"not_cached"}"#
        #expect(try second(json, dialect, status: status, fields: [])?.failureName == name)
    }

    // MARK: Helping

    private func conversation(
        _ requests: String,
        _ dialect: SuiteDialect = .compatible,
        isFetched: Bool = false
    ) throws -> SuiteConversation {
        let json = #"{"id":"s","tests":[{"id":"t","requests":\#(requests)}]}"#
        let file = try SuiteFile.decode(json: json, file: "f")
        return SuiteConversation(file.suites[0].tests[0], id: "id", dialect: dialect, isFetched: isFetched)
    }

    private func entry(
        _ number: Int,
        _ fields: [(String, String)] = [],
        answer: [StateEntry.AnswerField] = []
    ) -> StateEntry {
        StateEntry(requestNumber: number, method: "GET", requestFields: fields, answerFields: answer)
    }

    /// Returns the result of a test with `json` as its second request and this response; `nil` if there is none.
    private func second(
        _ json: String,
        _ dialect: SuiteDialect = .compatible,
        status: Int = 200,
        fields: [(String, String)],
        body: String? = nil,
        interim: [(Int, [(String, String)])] = [],
        state: [StateEntry]? = nil
    ) throws -> SuiteResult? {
        var conversation = try conversation(#"[{"response_headers":[]},\#(json)]"#, dialect)
        _ = conversation.next()
        conversation.receive(.response(.init(status: 200, fields: [], body: Array("id".utf8))))
        _ = conversation.next()
        let scripted = json.contains(#""response_body":"x""#) && body == nil ? "x" : "id"
        conversation.receive(
            .response(
                .init(
                    status: status,
                    fields: fields,
                    body: Array((body ?? scripted).utf8),
                    interim: interim.map { .init(status: $0.0, fields: $0.1) }
                )
            )
        )
        if case .readState = conversation.next() {
            conversation.receive(state: state ?? [entry(1), entry(2)])
        }
        return conversation.result
    }
}

extension SuiteConversation {
    /// The result; `nil` until there is one.
    fileprivate var result: SuiteResult? {
        var copy = self
        if case .finish(let result) = copy.next() { return result }
        return nil
    }
}

extension SuiteResult {
    fileprivate var failureName: Failure.Name? {
        if case .failed(let failure) = self { failure.name } else { nil }
    }
}

/// A conversation that took an unexpected course.
private struct Unexpected: Error {
    let what: String

    init(_ what: String) {
        self.what = what
    }
}
