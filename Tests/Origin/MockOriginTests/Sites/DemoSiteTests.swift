import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("The pages of the mock server")
struct DemoSiteTests {
    private let site = DemoSite(settings: [:], matching: .path)

    private func answer(_ target: String, _ method: String = "GET", accept: [String] = []) -> Answer {
        let fields = accept.map { ServedField("Accept", $0) }
        return site.answer(ServedRequest(method: method, target: target, fields: fields))
    }

    private func value(_ name: String, of answer: Answer) -> FieldValue? {
        answer.fields.first { $0.name == name }?.value
    }

    @Test(
        "A page answers its methods at its path with its settings, and nothing else",
        arguments: [
            ("/", "GET", 200), ("/", "HEAD", 200), ("/", "POST", 405), ("/%zz", "GET", 400),
            ("/none", "GET", 404), ("/get", "GET", 200), ("/get", "HEAD", 200), ("/get", "POST", 405),
            ("/%67et", "GET", 200), ("/post", "POST", 200), ("/post", "GET", 405),
            ("/get/x", "GET", 404), ("/get?status=418", "GET", 418), ("/get?status=x", "GET", 400),
            ("/get?format=png", "GET", 200), ("/get?format=x", "GET", 200), ("/image?format=x", "GET", 400),
            ("/get?%zz=1", "GET", 400),
        ]
    )
    func pages(target: String, method: String, status: Int) {
        #expect(answer(target, method).status == status)
    }

    @Test("A response that refuses a method names those that are allowed")
    func allowed() {
        let pages = [("/", "GET, HEAD"), ("/get", "GET, HEAD"), ("/post", "POST")]
        for (target, methods) in pages {
            #expect(value("Allow", of: answer(target, "PUT")) == .text(methods))
        }
    }

    @Test(
        "A browser gets the list of pages in HTML, others as text, and Vary names the field that decides",
        arguments: [
            (["text/html"], true), (["application/xml, TEXT/HTML;q=0.9"], true),
            (["image/png", "text/html"], true), ([], false), (["text/plain"], false), (["*/*"], false),
        ] as [([String], Bool)]
    )
    func index(accept: [String], isHTML: Bool) {
        let found = answer("/", accept: accept)
        #expect((value("Content-Type", of: found) == .text("text/html; charset=utf-8")) == isHTML)
        #expect(value("Vary", of: found) == .text("Accept"))
    }

    @Test("A misspelled setting is reported in visible ASCII, beside the page")
    func misspelled() {
        let found = answer("/get?statsu=1")
        #expect(found.status == 200)
        #expect(value("X-CacheCheck-Unknown-Setting", of: found) == .text("statsu; did you mean status?"))
        #expect(value("X-CacheCheck-Unknown-Setting", of: answer("/get?status=200")) == nil)
        let other = value("X-CacheCheck-Unknown-Setting", of: answer("/get?stat%C3%BCs=1"))
        #expect(other == .text("stat??s; did you mean status?"))
    }

    @Test("A setting in the query overrides that of the site")
    func settings() {
        let own = DemoSite(settings: ["/get": [PageSetting(name: "status", value: "500")]], matching: .path)
        let statuses = ["/get", "/get?status=404", "/fetchMockData"].map {
            own.answer(ServedRequest(method: "GET", target: $0)).status
        }
        #expect(statuses == [500, 404, 200])
    }

    @Test(
        "A page is that of its decoded path or, if that suffices, of any target that contains it",
        arguments: [
            ("/", true, true), ("/get", true, true), ("/%67et", true, true), ("/get?x=1", true, true),
            ("/x/get/y", false, true), ("/x?y=/get", false, true), ("/none", false, false),
            ("/%zz", false, false),
        ]
    )
    func matching(target: String, byPath: Bool, byPart: Bool) {
        let request = ServedRequest(method: "GET", target: target)
        #expect(site.hasPage(for: request) == byPath)
        #expect(DemoSite(settings: [:], matching: .contained).hasPage(for: request) == byPart)
    }

    @Test("The journal is read, and never stored")
    func journal() {
        let request = ServedRequest(method: "GET", target: "/journal")
        let found = site.journal(request, [])
        #expect(found.status == 200 && found.body == .text("{\"exchanges\":[\n\n]}\n"))
        #expect(value("Cache-Control", of: found) == .text("no-store"))
        let statuses = ["HEAD", "POST"].map {
            site.journal(ServedRequest(method: $0, target: "/journal"), []).status
        }
        #expect(statuses == [200, 405])
    }
}
