import HTTPTypes
import Testing

@testable import Audit

@Suite("Redirects and links of an audit")
struct RedirectTrailTests {
    private func url(_ path: String) -> String { "https://site.example" + path }

    private func result(_ path: String, _ status: Int, _ location: String?) -> AuditedURL {
        var result = AuditedURL(url: url(path))
        result.exchange = exchange(path, location.map { ["Location": $0] } ?? [:], status: status)
        return result
    }

    /// Adds the results of what the trail requests, as long as `locations` has a redirect for each.
    private func follow(_ locations: [String: String], from start: String, limit: Int = 5) -> RedirectTrail {
        var trail = RedirectTrail([url(start)], limit: limit)
        for _ in 0..<20 {
            for target in trail.take() {
                let path = String(target.url.dropFirst(url("").count))
                let location = locations[path]
                trail.add(result(path, location == nil ? 200 : 302, location), of: target, isPrivate: false)
            }
        }
        return trail
    }

    private func findings(_ trail: RedirectTrail) -> [String] {
        trail.results.flatMap(\.findings).map { "\($0.rule) at \($0.url)" }
    }

    @Test("Each redirect is requested once, in order, and remembers the URLs that led to it")
    func chain() {
        var trail = RedirectTrail([url("/a")], limit: 5)
        let first = trail.take()
        #expect(first.map(\.url) == [url("/a")])
        trail.add(result("/a", 301, "/b"), of: first[0], isPrivate: true)
        let second = trail.take()
        #expect(second.map(\.url) == [url("/b")])
        #expect(second[0].chain == [url("/a")])
        #expect(second[0].mayBePrivate)
        trail.add(result("/b", 200, nil), of: second[0], isPrivate: true)
        #expect(trail.take().isEmpty)
        #expect(trail.results.map(\.url) == [url("/a"), url("/b")])
        #expect(trail.results.flatMap(\.findings).isEmpty)
    }

    @Test("URLs that were given twice, or that another redirect led to, are requested once")
    func once() {
        var trail = RedirectTrail([url("/a"), url("/b"), url("/a")], limit: 5)
        let targets = trail.take()
        #expect(targets.map(\.url) == [url("/a"), url("/b")])
        for (path, target) in zip(["/a", "/b"], targets) {
            trail.add(result(path, 302, "/c"), of: target, isPrivate: false)
        }
        #expect(trail.take().map(\.url) == [url("/c")])
        #expect(trail.known == 3)
    }

    @Test("A redirect that leads back is reported at the URL that closes the loop")
    func loop() {
        let trail = follow(["/a": "/b", "/b": "/c", "/c": "/a"], from: "/a")
        #expect(findings(trail) == ["redirect-loop at \(url("/c"))"])
        #expect(trail.results.count == 3)
        #expect(findings(follow(["/a": "/a"], from: "/a")) == ["redirect-loop at \(url("/a"))"])
    }

    @Test("As many redirects as the limit are followed, and the next one is reported", arguments: [1, 2, 5])
    func limit(count: Int) {
        var locations: [String: String] = [:]
        for number in 0..<10 { locations["/\(number)"] = "/\(number + 1)" }
        let trail = follow(locations, from: "/0", limit: count)
        #expect(trail.results.count == count + 1)
        #expect(findings(trail) == ["redirect-chain at \(url("/\(count)"))"])
    }

    @Test(
        "A redirect that cannot be followed is reported",
        arguments: [nil, "", "ftp://site.example/", "http://user@site.example/", "http://:80/"] as [String?]
    )
    func broken(location: String?) {
        var trail = RedirectTrail([url("/a")], limit: 5)
        let targets = trail.take()
        trail.add(result("/a", 302, location), of: targets[0], isPrivate: false)
        let isLoop = location?.isEmpty == true
        #expect(findings(trail) == ["\(isLoop ? "redirect-loop" : "broken-redirect") at \(url("/a"))"])
        #expect(trail.take().isEmpty)
    }

    @Test("Only redirects lead anywhere, whatever has a Location", arguments: [200, 201, 300, 304, 305, 404])
    func others(status: Int) {
        var trail = RedirectTrail([url("/a")], limit: 5)
        let targets = trail.take()
        trail.add(result("/a", status, "/b"), of: targets[0], isPrivate: false)
        #expect(trail.take().isEmpty)
        #expect(trail.results.count == 1)
        #expect(trail.results.flatMap(\.findings).isEmpty)
    }

    @Test("Links are followed within the scope, and each once")
    func links() {
        var scope = CrawlScope(limit: 2)
        scope.addHost(of: url("/"))
        var trail = RedirectTrail([AuditTarget(url: url("/"), isCrawled: true)], limit: 5, scope: scope)
        let page = trail.take()[0]
        trail.add(
            links: [url("/a"), url("/a"), "https://other.example/", url("/b"), url("/c"), url("/")],
            of: page,
            isPrivate: false
        )
        let found = trail.take()
        #expect(found.map(\.url) == [url("/a"), url("/b")])
        #expect(found.map(\.finder) == ["found on \(url("/"))", "found on \(url("/"))"])
        #expect(found.count == 2 && found.allSatisfy(\.isCrawled))
        let omitted = trail.scope.omitted
        #expect(omitted.map(\.count).reduce(0, +) == 2)
        #expect(omitted.contains { $0.reason == CrawlScope.otherHosts && $0.count == 1 })
    }

    @Test("The redirect of a link to another host is not followed, that of a crawled page adds its host")
    func hosts() {
        var scope = CrawlScope(limit: 5)
        scope.addHost(of: url("/"))
        let targets = [
            AuditTarget(url: url("/"), isCrawled: true), AuditTarget(url: url("/link"), finder: "found on x"),
        ]
        var trail = RedirectTrail(targets, limit: 5, scope: scope)
        let taken = trail.take()
        trail.add(result("/link", 302, "https://third.example/"), of: taken[1], isPrivate: false)
        trail.add(result("/", 302, "https://www.site.example/"), of: taken[0], isPrivate: false)
        #expect(trail.take().map(\.url) == ["https://www.site.example/"])
        #expect(trail.scope.contains("https://www.site.example/page"))
        #expect(!trail.scope.contains("https://third.example/"))
        #expect(trail.scope.omitted.map(\.reason) == [CrawlScope.otherHosts])
    }

    @Test("A redirect to a private address is reported at its source, and is no result")
    func privateAddress() {
        var trail = RedirectTrail([url("/a")], limit: 5)
        let first = trail.take()
        trail.add(result("/a", 302, "http://10.0.0.1/"), of: first[0], isPrivate: false)
        let second = trail.take()
        var failed = AuditedURL(url: "http://10.0.0.1/")
        failed.failure = .privateAddress("10.0.0.1 is private")
        trail.add(failed, of: second[0], isPrivate: false)
        #expect(trail.results.map(\.url) == [url("/a")])
        #expect(findings(trail) == ["redirect-to-private at \(url("/a"))"])
    }
}
