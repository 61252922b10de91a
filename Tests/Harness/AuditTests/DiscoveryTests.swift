import Testing

@testable import Audit

@Suite("What pages, style sheets and sitemaps name")
struct DiscoveryTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let html: String
        let urls: [String]
        var testDescription: String { html }
    }

    static let rows: [Row] = [
        Row(html: "<a href='/a'>x</a>", urls: ["https://h.example/a"]),
        Row(html: "<A HREF=b>x", urls: ["https://h.example/dir/b"]),
        Row(html: "<a href='#top'><a href='page#x'>", urls: ["https://h.example/dir/page"]),
        Row(
            html: "<a href='mailto:a@b'><a href='javascript:x()'><a href=''>",
            urls: ["https://h.example/dir/page"]
        ),
        Row(html: "<a href='/a' rel='noopener nofollow'>", urls: []),
        Row(html: "<a href=' /a\n b '>", urls: ["https://h.example/a%20b"]),
        Row(html: "<a href='/a?x=1&amp;y=2'>", urls: ["https://h.example/a?x=1&y=2"]),
        Row(
            html: "<a href='/late'><img src='/first'>",
            urls: ["https://h.example/first", "https://h.example/late"]
        ),
        Row(html: "<base href='/other/'><base href='/no/'><img src=i>", urls: ["https://h.example/other/i"]),
        Row(
            html: "<link rel='shortcut icon' href=/i><link rel=preconnect href=/no>",
            urls: ["https://h.example/i"]
        ),
        Row(html: "<link rel=canonical href='https://other.example/'>", urls: ["https://other.example/"]),
        Row(
            html: "<img srcset='a,b 1x,  c 2x,d' src=e>",
            urls: ["e", "a,b", "c", "d"].map { "https://h.example/dir/\($0)" }
        ),
        Row(html: "<meta http-equiv=Refresh content='5; URL=\"/next\"'>", urls: ["https://h.example/next"]),
        Row(html: "<p style='background:url(/p.png)'>", urls: ["https://h.example/p.png"]),
        Row(html: "<input src=/no><input type=image src=/yes>", urls: ["https://h.example/yes"]),
        Row(html: "<script>'<a href=/no>'</script><!-- <a href=/no> -->", urls: []),
        Row(
            html: "<video poster=/p src=/v><object data=/o></object></video>",
            urls: ["v", "p", "o"].map { "https://h.example/\($0)" }
        ),
        Row(html: "<a href=//other.example/x>", urls: ["https://other.example/x"]),
    ]

    @Test("A page's URLs are absolute, without fragment, and what it loads comes first", arguments: rows)
    func page(_ row: Row) {
        let found = PageLinks(html: Array(row.html.utf8), at: "https://h.example/dir/page").urls
        #expect(found == row.urls)
    }

    @Test("A page of a million nested elements is read to a depth at which this is quick")
    func depth() {
        let html = "<a href=/a>" + String(repeating: "<div>", count: 1_000_000) + "<a href=/deep>"
        #expect(
            PageLinks(html: Array(html.utf8), at: "https://h.example/").urls == ["https://h.example/a"]
        )
    }

    @Test("The links of a page beyond the limit are counted")
    func manyLinks() {
        let html = (0..<20_005).map { "<a href=/\($0)><img srcset='/a 1x, /b 2x'>" }.joined()
        let links = PageLinks(html: Array(html.utf8), at: "https://h.example/")
        #expect(links.urls.count == 6_670)
        #expect(links.leftOut == 3 * 20_005 - 20_000)
    }

    static let sheets: [(String, [String])] = [
        ("a { b: url(x.png) }", ["x.png"]),
        ("a { b: URL( 'x y.png' ) url(\"z\") }", ["x y.png", "z"]),
        ("@import 'a.css'; @import url(b.css) screen;", ["a.css", "b.css"]),
        ("/* url(no) */ a { content: 'url(no)'; b: url(data:image/png;base64,AA) }", []),
        ("a { b: url(a\\)b) }", ["a)b"]),
        ("a { b: url(x", ["x"]),
        ("/* never closed url(no)", []),
        ("mask: url(#id)", []),
    ]

    @Test("A style sheet's references are those outside comments and text", arguments: sheets)
    func styleSheet(_ sheet: String, _ references: [String]) {
        #expect(StyleSheetLinks.references(in: sheet) == references)
    }

    @Test("Locations of pages and of sitemaps are read, those of images are not")
    func sitemap() throws {
        let xml = """
            \u{FEFF}<?xml version="1.0"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/i">
            <url><loc> https://h.example/a?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod>
            <image:image><image:loc>https://h.example/i.png</image:loc></image:image></url>
            <url><loc><![CDATA[https://h.example/b]]></loc></url></urlset>
            """
        let read = try Sitemap(Array(xml.utf8), isWhole: true)
        #expect(read.pages == ["https://h.example/a?x=1&y=2", "https://h.example/b"])
        let index = "<sitemapindex><sitemap><loc>https://h.example/s.xml.gz</loc></sitemap></sitemapindex>"
        #expect(try Sitemap(Array(index.utf8), isWhole: true).sitemaps == ["https://h.example/s.xml.gz"])
    }

    @Test("Text with one URL a line is a sitemap")
    func text() throws {
        let lines = Array("https://h.example/a\r\nhttps://h.example/b\n".utf8)
        #expect(try Sitemap(lines, isWhole: true).pages == ["https://h.example/a", "https://h.example/b"])
    }

    @Test("The URLs before the limit of content are those of a sitemap that exceeds it")
    func cutOff() throws {
        let xml = Array("<urlset><url><loc>https://h.example/a</loc></url><url><loc>https://h.ex".utf8)
        #expect(try Sitemap(xml, isWhole: false).pages == ["https://h.example/a"])
        #expect(throws: FetchFailure.self) { try Sitemap(xml, isWhole: true) }
    }

    static let unreadable: [(String, String)] = [
        ("<html><body>", "found <html>, expected <urlset> or <sitemapindex>"),
        ("<urlset><url>", "line 1: "),
        ("see /a", "line 1 is \"see/a\", expected XML or an http or https URL"),
        (" \n", "the sitemap is empty"),
        ("<!DOCTYPE urlset [<!ENTITY a 'aa'>]><urlset/>", "it declares entities"),
    ]

    @Test("What is no sitemap is reported with what was found", arguments: unreadable)
    func invalid(_ text: String, _ reason: String) {
        do throws(FetchFailure) {
            _ = try Sitemap(Array(text.utf8), isWhole: true)
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains(reason))
        }
    }
}
