import HTTPServing
import JSON
import LocatedYAML
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Generated hostile input")
struct HostileInputTests {
    /// A repeatable random number generator (SplitMix64).
    private struct Draws {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }

        mutating func text(of alphabet: [Character], _ most: Int) -> String {
            String(
                (0..<Int(next() % UInt64(most))).map { _ in alphabet[Int(next() % UInt64(alphabet.count))] }
            )
        }
    }

    @Test("No input of the origin's parsers ends the process", arguments: 0..<8)
    func parsers(seed: Int) {
        var draws = Draws(state: UInt64(seed))
        var parts = 0
        for _ in 0..<1500 {
            let pattern = draws.text(of: Array("ab[](){}|*+?\\^-.,019d"), 24)
            _ = TextPattern(pattern)?.matches("abab0019dddd-.,")
            _ = Template(draws.text(of: Array("${}path.json[0]*'"), 24))
            _ = JSONPath("$" + draws.text(of: Array(".[]'\"*09ab"), 16))
            _ = PathTemplate("/" + draws.text(of: Array("/{}ab*-"), 16))?.parameters(of: ["a", "b", "", "ab"])
            let json = Array(draws.text(of: Array("{}[]\":,\\u0dD8truefalsn-+.e1 \u{e9}"), 40).utf8)
            _ = JSONValue(content: json)?.written()
            let range = ByteRanges("bytes=" + draws.text(of: Array("0123456789-, "), 40))
            for part in range?.satisfied(count: 10) ?? [] {
                parts += 1
                #expect(part.lowerBound >= 0 && part.upperBound <= 10 && !part.isEmpty)
            }
        }
        #expect(parts > 0)
    }

    @Test("No request to a site with many kinds of routes ends the process", arguments: 0..<4)
    func requests(seed: Int) throws {
        var draws = Draws(state: UInt64(seed))
        let site = try SiteFile.decode(
            """
            - path: /a/{b}/c-{d}.e
              query: {a: {matches: '(a|b)*c?'}}
              answer: {body: {template: '${path.b} ${json.a[0]} ${form.a} ${query.a}'}, gzip: true, ranges: true, etag: md5}
            - {path: '/f/**', body: {json: {'$.a[*].b': {not: c}}}, answer: {body: {folder: .}}}
            - {path: '*', body: {parts: {a: present}}, answer: {redirect: '/${path.rest}'}}
            """,
            file: "site"
        )
        var script = Script(site.routes)
        let contents = ContentStore(folder: "/nowhere")
        for _ in 0..<1000 {
            let target = "/" + draws.text(of: Array("af/bc-d.e%20?=&;#"), 30)
            let fields = [
                ServedField("Range", "bytes=" + draws.text(of: Array("0123-,"), 12)),
                ServedField(
                    "Content-Type",
                    ["application/json", "multipart/form-data; boundary=a"][Int(draws.next() % 2)]
                ),
                ServedField("If-Range", draws.text(of: Array("W/\"ab"), 6)),
                ServedField("Accept-Encoding", "gzip;q=0.1"),
            ]
            let body = Array(draws.text(of: Array("{}[]\"a:,--\r\n"), 60).utf8)
            let request = ServedRequest(method: "GET", target: target, fields: fields, body: body)
            let routed = RoutedRequest(request)
            guard let found = script.next(routed) else { continue }
            let moment = HTTPTimestamp(seconds: 0)
            var context = AnswerContext(request: request, now: moment, startedAt: moment)
            context.parameters = found.route.parameters(of: routed)
            #expect(!ComposedReply.compose(found.answer, context, contents).rendered().isEmpty)
        }
    }
}
