import CacheClient
import HTTPTypes
import MarkupParsing

/// The URLs of a sitemap (sitemaps.org): XML, or text with one URL per line; either may be a gzip file.
struct Sitemap: Sendable, Hashable {
    /// The URLs of pages, in order.
    var pages: [String] = []
    /// The URLs of further sitemaps, of an index.
    var sitemaps: [String] = []
    /// Guards against files that decode to far more than they are; sitemaps have at most 50 MB.
    private static let decodedLimit = 52_428_800

    /// Reads a sitemap, which may have been cut off if it is not `isWhole`.
    init(_ content: [UInt8], isWhole: Bool) throws(FetchFailure) {
        var content = content
        if content.starts(with: [0x1F, 0x8B]) { content = try Self.unpacked(content, isWhole: isWhole) }
        let start = content.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        if start.first == UInt8(ascii: "<") {
            self = try SitemapReader.sitemap(of: Array(start), isWhole: isWhole)
        } else {
            try self.init(lines: String(decoding: start, as: UTF8.self))
        }
    }

    private init(lines text: String) throws(FetchFailure) {
        for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let url = line.filter { !$0.isWhitespace }
            guard (try? TargetURL(url)) != nil else {
                let found = "line \(number + 1) is \"\(url.prefix(60))\""
                throw .unreadable("it is not a sitemap: \(found), expected XML or an http or https URL")
            }
            pages.append(url)
        }
        if pages.isEmpty { throw .unreadable("the sitemap is empty, expected XML or URLs") }
    }

    private static func unpacked(_ content: [UInt8], isWhole: Bool) throws(FetchFailure) -> [UInt8] {
        guard isWhole else { throw .unreadable("the sitemap is a gzip file beyond the limit of content") }
        let fields: HTTPFields = [.contentEncoding: "gzip"]
        let coded = HTTPResponse(status: .ok, headerFields: fields)
        do throws(TransportError) {
            return try ContentDecoder.decode(content, of: coded, limit: decodedLimit)
        } catch {
            throw .unreadable("the sitemap is not a valid gzip file: \(error.detail)")
        }
    }

    fileprivate init() {}
}

/// Collects the locations from the events of an XML document.
private struct SitemapReader {
    private var sitemap = Sitemap()
    private var path: [String] = []
    private var location = ""
    private var problem: String?

    static func sitemap(of xml: [UInt8], isWhole: Bool) throws(FetchFailure) -> Sitemap {
        var reader = SitemapReader()
        var problem: MarkupProblem?
        do throws(MarkupProblem) {
            try MarkupParser.parse(xml: xml) { reader.add($0) }
        } catch {
            if isWhole || error == .declaresEntities { problem = error }
        }
        if let problem = reader.problem ?? problem?.description {
            throw .unreadable("the sitemap is not readable: \(problem)")
        }
        return reader.sitemap
    }

    private mutating func add(_ event: MarkupEvent) {
        switch event {
        case .start(_, let name, _): start(name)
        case .end: end()
        case .text(let text): if path.last == "loc", location.utf8.count < 10_000 { location += text }
        }
    }

    private mutating func start(_ name: String) {
        if path.isEmpty, name != "urlset", name != "sitemapindex" {
            problem = problem ?? "found <\(name)>, expected <urlset> or <sitemapindex>"
        }
        path.append(name)
        location = ""
    }

    /// Adds the location that an element contains; those of images and videos are deeper, and not those of pages.
    private mutating func end() {
        let url = String(location.filter { !$0.isWhitespace })
        if !url.isEmpty, path == ["urlset", "url", "loc"] { sitemap.pages.append(url) }
        if !url.isEmpty, path == ["sitemapindex", "sitemap", "loc"] { sitemap.sitemaps.append(url) }
        _ = path.popLast()
        location = ""
    }
}
