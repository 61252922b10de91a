import LocatedYAML
import OriginScript
import PublicSuite
import Testing

@Suite("The public suite's data")
struct SuiteDecodingTests {
    @Test("A file is one suite or a list of suites, and a test is required unless it says otherwise")
    func files() throws {
        let one = #"{"id":"s","name":"S","tests":[{"id":"t","name":"T","requests":[{}]}]}"#
        for json in [one, "[\(one)]"] {
            let file = try SuiteFile.decode(json: json, file: "f.json")
            #expect(file.suites.map(\.id) == ["s"])
            #expect(file.suites[0].tests.map(\.id) == ["t"])
            #expect(file.suites[0].tests[0].kind == .required)
        }
    }

    @Test(
        "A problem is reported with its position and the expected value",
        arguments: [
            (
                #"[{"expected_typ":"cached"}]"#,
                #"1:50: found unknown key "expected_typ" in a request object, expected "expected_type""#
            ),
            (#"[{"expected_type":"cachd"}]"#, #"1:66: found "cachd", expected "cached""#),
            (#"[{"pause_after":"yes"}]"#, #"1:64: found "yes", expected true or false"#),
            (#"[{"response_headers":[["A"]]}]"#, "1:70: found a list, expected [name, value]"),
            (#"[{"response_headers":[["A b","c"]]}]"#, #"1:71: found "A b", expected a field name"#),
            (
                #"[{"response_status":["200","OK"]}]"#,
                #"1:69: found "200", expected a whole number from 200 to 999"#
            ),
            (#"[{"setup_tests":["expected_stuff"]}]"#, #"1:65: found "expected_stuff", expected "#),
            (
                #"[{"expected_response_headers":[["Age",">","x"]]}]"#,
                #"1:90: found "x", expected a whole number"#
            ),
            (
                #"[{"expected_type":"lm_validated"}]"#,
                "1:66: found a request that expects validation, but no earlier request"
            ),
            ("[]", "1:48: found an empty list, expected at least one request"),
            ("{}", "1:48: found a map, expected a list"),
        ]
    )
    func problems(requests: String, problem: String) {
        let json = #"{"id":"s","tests":[{"id":"t","name":"","requests":"# + requests + "}]}"
        let error = #expect(throws: YAMLProblems.self) { try SuiteFile.decode(json: json, file: "f") }
        let text = error?.description ?? ""
        #expect(text.drop { $0 != " " }.hasPrefix(problem.drop { $0 != " " }), "\(text)")
    }

    @Test("An id that two files use is reported")
    func duplicates() throws {
        let json = #"{"id":"s","tests":[{"id":"t","requests":[{}]}]}"#
        let files = try ["a", "b"].map { try SuiteFile.decode(json: json, file: $0) }
        #expect(SuiteFile.problems(in: files).map(\.position.file) == ["b"])
        #expect(SuiteFile.problems(in: [files[0]]).isEmpty)
    }

    @Test("A request object is encoded as JSON again for another server")
    func json() throws {
        let json = #"{"response_headers":[["A","ü"],["Date",0]],"disconnect":true,"response_body":null}"#
        let file = try SuiteFile.decode(
            json: #"{"id":"s","tests":[{"id":"t","requests":["# + json + "]}]}",
            file: "f"
        )
        #expect(file.suites[0].tests[0].requests[0].json == json)
    }

    @Test("An origin's state is decoded")
    func state() throws {
        let entry = StateEntry(
            requestNumber: nil,
            method: "GET",
            requestFields: [("a", "1, 2")],
            answerFields: [.init("B", [.text("x")]), .init("C", [.text("y"), .text("z")])]
        )
        #expect(try StateEntry.decode(json: [entry].json) == [entry])
        #expect(
            [entry].json
                == #"[{"request_num":null,"request_method":"GET","request_headers":{"a":"1, 2"},"response_headers":[["B","x"],["C",["y","z"]]]}]"#
        )
    }
}
