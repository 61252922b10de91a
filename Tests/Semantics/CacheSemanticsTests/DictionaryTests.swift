import CacheSemantics
import HTTPTypes
import Testing

@Suite("Dictionaries for compression, RFC 9842")
struct DictionaryTests {
    @Test(
        "A stored response is a dictionary while it is fresh or may be served stale, RFC 9842 §2.2.1",
        arguments: [
            ("max-age=60", 0, 60), ("max-age=60", 59, 1), ("max-age=60", 60, 0), ("max-age=60", 61, 0),
            ("max-age=60, stale-while-revalidate=30", 60, 30),
            ("max-age=60, stale-while-revalidate=30", 91, 0),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", 59, 1),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", 60, 0), ("max-age=60, no-cache", 0, 0),
            ("max-age=60, no-store", 0, 0),
        ] as [(String, Int64, Int64)]
    )
    func seconds(control: String, age: Int64, seconds: Int64) {
        let entry = stored("Cache-Control: \(control)", "Use-As-Dictionary: match=\"/*\"")
        #expect(CacheEngine().secondsAsDictionary(entry, now: at(age)) == seconds)
    }

    @Test("An invalidated response is no dictionary, RFC 9111 §4.4")
    func invalidated() {
        let entry = stored("Cache-Control: max-age=60", isInvalidated: true)
        #expect(CacheEngine().secondsAsDictionary(entry, now: at(0)) == 0)
    }

    @Test(
        "A content coding with a dictionary is found in any case and at any place",
        arguments: [
            (["dcb"], true), (["DCZ"], true), (["gzip, dcb"], true), (["gzip", "dcz"], true), (["br"], false),
            (["gzip"], false), (["xdcb"], false), (["dc"], false), ([], false),
        ] as [([String], Bool)]
    )
    func used(lines: [String], isUsed: Bool) {
        let fields = fields(lines.map { "Content-Encoding: \($0)" })
        #expect(CompressionDictionary.isUsed(by: fields) == isUsed)
    }

    @Test(
        "A response varies by the fields of the dictionary even if Vary lacks them, which is noted, RFC 9842 §6.2",
        arguments: [
            ([], true), (["Vary: Accept-Encoding"], true),
            (["Vary: Accept-Encoding, Available-Dictionary"], nil),
        ] as [([String], Bool?)]
    )
    func vary(lines: [String], held: Bool?) {
        let answer = response(lines: ["Cache-Control: max-age=60", "Content-Encoding: dcb"] + lines)
        #expect(CacheEngine().exchange(answer).held(.dictionaryVaries) == held)
    }
}
