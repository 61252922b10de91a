import HTTPServing
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import Audit

@Suite("Crawls and sitemaps", .timeLimit(.minutes(20)))
struct CrawlTests {
    private static func page(_ html: String) -> Answer {
        Answer(fields: ["Content-Type": "text/html"], body: .text(html))
    }

    private static func audited(_ report: AuditReport, _ server: MockServer) -> [String] {
        report.urls.filter { !$0.isMadeUp }.map { String($0.url.dropFirst(server.url.count)) }
    }

    private let settings = impatientSettings { $0.makesProbes = false }

    @Test("A crawl follows links, what pages load, and what style sheets refer to, and stays on the host")
    func crawl() async throws {
        let server = try MockServer.started(routes: [
            Route(
                "/",
                Self.page("<a href=/b><link rel=stylesheet href=/s.css><a href='http://other.invalid/'>")
            ),
            Route("/b", Self.page("<a href=/><a href=/c>")),
            Route("/c", Self.page("the end")),
            Route("/s.css", Answer(fields: ["Content-Type": "text/css"], body: "a{b:url(i.png)}")),
            Route("/i.png", Answer(fields: ["Content-Type": "image/png"], body: "png")),
        ])
        defer { server.stop() }
        let report = try await audit(AuditSources(crawls: [server.url + "/"]), settings)
        #expect(Self.audited(report, server) == ["/", "/s.css", "/b", "/i.png", "/c"])
        #expect(report.urls.last?.origin == "found on \(server.url)/b")
        #expect(report.omitted.map { "\($0.count) \($0.reason)" } == ["1 URLs of other hosts"])
        #expect(report.exitStatus != 69)
    }

    @Test("What robots.txt disallows is left out of a crawl, and never requested")
    func robots() async throws {
        let server = try MockServer.started(routes: [
            Route("/robots.txt", Answer(body: "User-agent: *\nDisallow: /no\n")),
            Route("/", Self.page("<a href=/no><a href=/yes>")), Route("/yes", Self.page("yes")),
        ])
        defer { server.stop() }
        let report = try await audit(AuditSources(crawls: [server.url + "/"]), settings)
        #expect(Self.audited(report, server) == ["/", "/yes"])
        #expect(report.omitted.map { $0.count } == [1])
        #expect(!server.journal().contains { $0.request.target == "/no" })
    }

    @Test("A site without end is crawled up to the limit, and the rest is counted")
    func endless() async throws {
        let links = (0..<50).map { "<a href=/pages/\($0)>" }.joined()
        let server = try MockServer.started(routes: [
            Route("/", Self.page(links)), Route("/pages/{number}", Self.page(links)),
        ])
        defer { server.stop() }
        let sources = AuditSources(crawls: [server.url + "/"])
        let report = try await audit(
            sources,
            impatientSettings {
                $0.makesProbes = false
                $0.foundURLs = 3
            }
        )
        #expect(Self.audited(report, server).count == 4)
        #expect(report.omitted.map { $0.count } == [47])
    }

    @Test("The report says how many links of a page were not read")
    func manyLinks() async throws {
        let links = (0..<20_007).map { "<a href=/\($0)>" }.joined()
        let server = try MockServer.started(routes: [Route("/", Self.page(links))])
        defer { server.stop() }
        let sources = AuditSources(crawls: [server.url + "/"])
        let report = try await audit(
            sources,
            impatientSettings {
                $0.makesProbes = false
                $0.foundURLs = 0
            }
        )
        let omitted = report.omitted.map { "\($0.count) \($0.reason)" }
        #expect(omitted.contains("7 links of a page beyond its first 20000"), "\(omitted)")
    }

    @Test("A redirect of the first page extends a crawl to its host, that of a later page does not")
    func redirects() async throws {
        let site = try MockServer.started(routes: [
            Route("/", Self.page("<a href=/away>")),
            Route("/away", Answer(status: 302, fields: ["Location": "http://other.invalid/"])),
        ])
        defer { site.stop() }
        let name = try MockServer.started(routes: [
            Route("/", Answer(status: 301, fields: ["Location": site.url + "/"]))
        ])
        defer { name.stop() }
        let report = try await audit(AuditSources(crawls: [name.url + "/"]), settings)
        #expect(report.urls.map(\.url) == [name.url + "/", site.url + "/", site.url + "/away"])
        #expect(report.omitted.map { "\($0.count) \($0.reason)" } == ["1 URLs of other hosts"])
    }

    @Test("The URLs of an index of sitemaps are audited, those of other hosts are not")
    func sitemaps() async throws {
        let server = try MockServer.started()
        defer { server.stop() }
        func list(_ name: String, _ item: String, _ urls: [String]) -> Answer {
            let items = urls.map { "<\(item)><loc>\($0)</loc></\(item)>" }
            return Answer(body: .text("<\(name)>\(items.joined())</\(name)>"))
        }
        let pages = ["\(server.url)/a", "\(server.url)/b", "http://other.invalid/"]
        let maps = ["\(server.url)/pages.xml", "http://other.invalid/s.xml"]
        server.replace(routes: [
            Route("/a", Self.page("<a href=/not-followed>")), Route("/b", Self.page("b")),
            Route("/index.xml", list("sitemapindex", "sitemap", maps)),
            Route("/pages.xml", list("urlset", "url", pages)),
        ])
        let report = try await audit(AuditSources(sitemaps: [server.url + "/index.xml"]), settings)
        #expect(Self.audited(report, server) == ["/a", "/b"])
        #expect(report.urls.first?.origin == "in \(server.url)/pages.xml")
        #expect(
            report.omitted.map { "\($0.count) \($0.reason)" } == [
                "1 URLs of other hosts", "1 sitemaps of other hosts",
            ]
        )
    }

    @Test("A sitemap that is missing is a failure of the audit")
    func missing() async throws {
        let server = try MockServer.started(routes: [])
        defer { server.stop() }
        let report = try await audit(AuditSources(sitemaps: [server.url + "/sitemap.xml"]), settings)
        #expect(report.exitStatus == 69)
        #expect(report.urls.first?.failure == .unreadable("the sitemap has status 404, expected 200"))
    }

    @Test(
        "Sitemaps that name no URL are a failure that says so, whether they are empty or refer to each other",
        arguments: ["/empty.xml", "/one.xml"]
    )
    func empty(path: String) async throws {
        let server = try MockServer.started()
        defer { server.stop() }
        func index(_ path: String) -> Answer {
            Answer(
                body: .text("<sitemapindex><sitemap><loc>\(server.url)\(path)</loc></sitemap></sitemapindex>")
            )
        }
        server.replace(routes: [
            Route("/empty.xml", Answer(body: "<urlset/>")), Route("/one.xml", index("/two.xml")),
            Route("/two.xml", index("/one.xml")),
        ])
        let report = try await audit(AuditSources(sitemaps: [server.url + path]), settings)
        #expect(report.exitStatus == 69)
        #expect(
            report.urls.map { "\($0.failure.map { "\($0)" } ?? "")" }
                == ["neither the sitemap nor those that it refers to contain a URL"]
        )
    }

    @Test("Progress reports the step, how many URLs of how many are done, and the requests")
    func progress() {
        let progress = AuditProgress(step: "probed", done: 2, all: 9, requests: 41, url: "https://h.example/")
        #expect("\(progress)" == "[probed 2/9, 41 requests] https://h.example/")
    }

    @Test("Without --max-urls the URLs that are found are as many as the requests are enough for")
    func limit() {
        #expect(AuditSettings().foundURLLimit == 198 / (1 + Probe.all.count))
        #expect(settings.foundURLLimit == 198)
        #expect(impatientSettings { $0.requestLimit = 5 }.foundURLLimit == 1)
    }
}
