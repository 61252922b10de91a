import HTTPServing
import OriginScript
import Testing
import TestSupport

@testable import MockOrigin

@Suite("What a site answers where no route matches, and after changes")
struct ServedSiteTests {
    private let contents = ContentStore(folder: nil)

    private func site(_ routes: [Route], pages: PageMatching? = .path) -> ServedSite {
        let start = ServedSite.Start(moment: HTTPTimestamp(seconds: 0), elapsed: .zero)
        return ServedSite(Site(routes: routes), pages: pages, start: start)
    }

    private func request(_ target: String, _ method: String = "GET") -> RoutedRequest {
        RoutedRequest(ServedRequest(method: method, target: target))
    }

    private func next(_ site: inout ServedSite, _ target: String) -> BodySource? {
        let routed = request(target)
        let places = site.script.index.places(for: routed)
        return site.select(routed, among: places, elapsedSeconds: 0)?.answer.body
    }

    @Test("A HEAD is served where a GET is, and another method is not")
    func head() {
        let site = site([.get("/a"), .post("/b")])
        let served = [
            ("/a", "GET"), ("/a", "HEAD"), ("/a", "PUT"), ("/b", "HEAD"), ("/b", "POST"), ("/c", "GET"),
        ]
        #expect(
            served.map { site.serves(request($0, $1), contents) } == [true, true, false, false, true, false]
        )
    }

    @Test(
        "What matches nothing is passed on, refused for its method, or not found with its near misses",
        arguments: [
            ("/a", "PUT", false, 405), ("/none", "GET", false, 404), ("/none", "CONNECT", false, 501),
            ("/none", "CONNECT", true, 501), ("/get", "GET", false, 200), ("/get", "GET", true, 200),
        ]
    )
    func unmatched(target: String, method: String, passes: Bool, status: Int) {
        let site = site([.get("/a")])
        let found = site.unmatched(request(target, method), contents, elapsedSeconds: 0, passes: passes)
        #expect(found.answer.status == status)
        #expect(found.nearest.isEmpty == ![404, 405].contains(status))
        #expect(found.label == nil)
    }

    @Test(
        "With an upstream, what matches nothing is passed to it; a script without pages has only its routes"
    )
    func passed() {
        let found = site([.get("/a")]).unmatched(request("/none"), contents, elapsedSeconds: 0, passes: true)
        #expect(found.label == "upstream")
        let script = site([.get("/a")], pages: nil)
        let missing = script.unmatched(request("/get"), contents, elapsedSeconds: 0, passes: true)
        #expect(missing.answer.status == 404 && missing.label == nil)
    }

    @Test("A replaced site begins anew, a changed one goes on, and a restarted one keeps its changes")
    func changes() {
        let sequence = Route(label: "s", path: .exact("/s"), answers: [.text("1"), .text("2"), .text("3")])
        let start = ServedSite.Start(moment: HTTPTimestamp(seconds: 9), elapsed: .seconds(9))
        var site = site([sequence])
        site.begin(in: ["m": "on"])
        #expect(next(&site, "/s") == .text("1") && !site.hasFaults)
        let faulty = Route(
            label: "f",
            path: .exact("/f"),
            answers: [.text("f") { $0.faults = [Fault(.close, at: .body)] }]
        )
        site.change(to: Site(routes: [faulty, sequence]))
        #expect(next(&site, "/s") == .text("2") && site.hasFaults && site.generation == 1)
        site.script.set(["m": "off"])
        site.restart(start: start)
        #expect(next(&site, "/s") == .text("1") && next(&site, "/f") == .text("f"))
        #expect(site.script.state(of: "m") == "on" && site.start.elapsed == .seconds(9))
        site.replace(start: start)
        #expect(next(&site, "/s") == .text("1") && next(&site, "/f") == nil && !site.hasFaults)
        #expect(site.script.state(of: "m") == "on" && site.generation > 1)
    }
}
