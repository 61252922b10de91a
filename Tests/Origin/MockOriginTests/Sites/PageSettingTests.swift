import OriginScript
import Testing

@testable import MockOrigin

@Suite("Settings of pages")
struct PageSettingTests {
    @Test("A query sets every member it names and does not affect others")
    func query() throws {
        let query =
            "cache-control=max-age%3D60&etag=W/%22v1%22&last-modified=-100d&status=404&gzip=always&delay=2s"
            + "&rate=1KiB&chunk=1,2&size=3&fail=close@4&framing=close&date=none&expires=%2B1h&user=x&vary=A,%20B"
        var answer = Answer()
        for setting in try PageSetting.list(query: query) { try setting.apply(to: &answer) }
        var expected = Answer()
        expected.fields = [
            FieldLine("Cache-Control", .text("max-age=60")),
            FieldLine("Expires", .date(offset: .seconds(3600), form: .imf)),
            FieldLine("Vary", .text("A, B")),
        ]
        expected.entityTag = .literal("W/\"v1\"")
        expected.lastModified = .offset(.seconds(-8_640_000))
        expected.status = 404
        expected.gzip = .always
        expected.delay = .seconds(2)
        expected.rate = 1024
        expected.chunks = [1, 2]
        expected.body = .generated(size: 3)
        expected.faults = [Fault(.close, at: .body, byte: 4)]
        expected.framing = .close
        expected.date = .none
        #expect(answer == expected)
    }

    @Test(
        "An invalid fault is reported with the problem",
        arguments: [
            (
                "truncate@before-head", "truncate@before-head",
                "one of reset, close, half-close, stall, delay, garbage, status, interim"
            ),
            ("reset@nowhere", "nowhere", "one of accept"),
            ("reset@body:1 chance=2", "2", "30%"),
            ("reset@accept", "reset@accept", "an event of an answer (before-head, head, body, end)"),
        ]
    )
    func faults(text: String, found: String, expected: String) {
        var answer = Answer()
        #expect {
            try PageSetting(name: "fault", value: text).apply(to: &answer)
        } throws: { error in
            let problem = error as? PageSetting.Problem
            return problem?.found == found && problem?.expected.contains(expected) == true
        }
    }

    @Test(
        "An invalid value is a problem that names the setting",
        arguments: [
            "status=99", "status=1000", "status=", "status=2e2", "etag=v1", "gzip=maybe", "framing=none",
            "delay=2", "delay=-1s", "delay=2h", "rate=0", "rate=fast", "chunk=1,,2", "chunk=0", "size=65MiB",
            "size=small", "fail=close", "fail=explode", "date=", "last-modified=", "body=%zz", "format=gif",
            "violations=304-with-body,", "cache-control=a%0d%0ab", "age=a%00b", "etag=file",
            "expires=999999999999d",
        ]
    )
    func problems(query: String) {
        let name = String(query.prefix { $0 != "=" })
        #expect {
            var answer = Answer()
            for setting in try PageSetting.list(query: query) { try setting.apply(to: &answer) }
        } throws: { error in
            (error as? PageSetting.Problem)?.name == name
        }
    }

    @Test("The example of each setting is a valid value", arguments: PageSetting.names)
    func examples(name: String) throws {
        let example = try #require(PageSetting.appliers[name]?.example)
        try PageSetting(name: name, value: example).check()
    }

    @Test("Values are text, of which only the commas of violations separate several")
    func texts() throws {
        var answer = Answer()
        let query =
            "body=null&cache-control=&vary=~&etag=none&violations=304-with-body,%20gzip-unasked&violations=unquoted-etag"
        for setting in try PageSetting.list(query: query) { try setting.apply(to: &answer) }
        #expect(answer.body == .text("null"))
        #expect(answer.fields.map(\.value) == [.text(""), .text("~")])
        #expect(answer.violations.count == 3)
        #expect(answer.entityTag == nil)
    }

    @Test("Text that is not an offset is sent unchanged")
    func literalDates() throws {
        var answer = Answer()
        try PageSetting(name: "expires", value: "0").apply(to: &answer)
        try PageSetting(name: "date", value: "soon").apply(to: &answer)
        #expect(answer.fields == [FieldLine("Expires", .text("0"))])
        #expect(answer.date == .text("soon"))
    }
}
