import Testing

@testable import Lab

@Suite("The lab's actions as text")
struct LabActionTests {
    @Test(
        "An action is written as it is read",
        arguments: [
            "get ada", "head ben", "post ada", "get ada Accept-Language: de | Cookie: user=ada", "clear ben",
            "advance 90s", "advance 1d", "advance 2h", "advance 500ms", "pause", "run", "change", "down",
            "up",
            "purge", "respond", "respond etag | last-modified 10d | ranges | Cache-Control: max-age=60",
        ]
    )
    func roundTrip(text: String) throws {
        #expect(try LabAction(text).text == text)
    }

    @Test(
        "A wrong action is refused with what was found",
        arguments: [
            ("", "\"\""), ("jump", "\"jump\""), ("pause now", "\"pause now\""),
            ("get", "the browser \"\""), ("get gateway", "the browser \"gateway\""),
            ("get ada Range", "\"Range\""), ("get ada A b: c", "\"A b: c\""),
            ("get ada Content-Length: 5", "Content-Length"),
            ("get ada X: a\u{1}b", "the value \"a\u{1}b\""),
            ("advance", "the duration \"\""), ("advance 367d", "the duration \"367d\""),
            ("advance -1h", "the duration \"-1h\""),
            ("respond etag | Content-Length: 5", "Content-Length"),
            ("respond last-modified soon", "the age \"soon\""), ("respond tag", "\"tag\""),
        ]
    )
    func refusal(text: String, found: String) {
        let problem = #expect(throws: LabProblem.self) { try LabAction(text) }
        #expect(problem?.found == found)
    }
}
