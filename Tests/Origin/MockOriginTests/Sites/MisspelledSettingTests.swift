import Testing

@testable import MockOrigin

@Suite("Settings of pages that are nearly right")
struct MisspelledSettingTests {
    @Test(
        "A parameter that resembles a setting is named with it; settings and short names are not",
        arguments: [
            ("statsu=200", ["statsu: status"]), ("status=200", []), ("page=1", []),
            ("statu=1", ["statu: status"]),
            ("%73tatsu=1&x=2&cache-contrl=3", ["statsu: status", "cache-contrl: cache-control"]),
            ("unrelated-name=1", []), ("", []),
        ] as [(String, [String])]
    )
    func misspelled(query: String, expected: [String]) {
        #expect(PageSetting.misspelled(in: query).map { "\($0.name): \($0.intended)" } == expected)
    }

    @Test("Settings are read from a query, others ignored, and broken escapes are an error")
    func list() throws {
        let settings = try PageSetting.list(query: "status=404&x=%zz&etag&date=+5&x=1")
        #expect(settings.map(\.name) == ["status", "etag", "date"])
        #expect(settings.map(\.value) == ["404", "", "+5"])
        for query in ["%zz=1", "status=%zz"] {
            let problem = #expect(throws: PageSetting.Problem.self) { try PageSetting.list(query: query) }
            #expect(problem?.expected == "well-formed escapes")
        }
        #expect(throws: PageSetting.Problem.self) { try PageSetting(name: "colour", value: "red").check() }
        #expect(throws: PageSetting.Problem.self) { try PageSetting(name: "status", value: "red").check() }
        #expect(throws: Never.self) { try PageSetting(name: "status", value: "404").check() }
    }
}
