import CacheClient
import MarkupParsing

/// The URLs that a page or a style sheet names: first what it is made of, then what it links to.
struct PageLinks {
    /// The resources that a browser loads with the page.
    private var resources: [String] = []
    /// The pages that a user may go to.
    private var links: [String] = []
    private var base: String
    private var hasBase = false
    /// The number of references that were left out, because the page has more than `limit`.
    private(set) var leftOut = 0
    /// Guards against pages that are made of links.
    static let limit = 20_000

    private init(_ url: String) { base = url }

    /// Reads the content of a response; it has no links unless it is HTML or a style sheet.
    init(_ exchange: AuditedExchange) {
        self.init(exchange.url)
        // What exceeds the limit of content is not read, which leaves links behind it out.
        guard let content = exchange.readableContent else { return }
        if exchange.isPage { self.init(html: content, at: exchange.url) }
        guard exchange.mediaType == "text/css" else { return }
        resources = StyleSheetLinks.references(in: String(decoding: content, as: UTF8.self))
    }

    /// Reads an HTML document.
    init(html: [UInt8], at url: String) {
        var page = PageLinks(url)
        MarkupParser.visitElements(ofHTML: html) { page.addWithinLimit($0, $1) }
        self = page
    }

    /// The absolute http and https URLs without fragments, each once.
    var urls: [String] {
        // A base may be relative to the page itself.
        guard let base = try? TargetURL(base) else { return [] }
        var seen: Set<String> = []
        return (resources + links).compactMap { reference in
            guard let url = try? base.resolve(Self.trimmed(reference)) else { return nil }
            return String(url.text.prefix { $0 != "#" })
        }.filter { seen.insert($0).inserted }
    }

    private mutating func addWithinLimit(_ element: String, _ attributes: [String: String]) {
        let (resourceCount, linkCount) = (resources.count, links.count)
        add(element, attributes)
        let count = resources.count + links.count
        guard count > Self.limit else { return }
        leftOut += count - resourceCount - linkCount
        resources.removeLast(resources.count - resourceCount)
        links.removeLast(links.count - linkCount)
    }

    private mutating func add(_ element: String, _ attributes: [String: String]) {
        if let style = attributes["style"] { resources += StyleSheetLinks.references(in: style) }
        switch element {
        case "base": addBase(attributes["href"])
        case "a", "area": addLink(attributes)
        case "link": addRelated(attributes)
        case "meta": addRefresh(attributes)
        case "input" where attributes["type"]?.lowercased() != "image": break
        default: addLoaded(by: element, attributes)
        }
    }

    private mutating func addLoaded(by element: String, _ attributes: [String: String]) {
        for name in Self.attributes[element] ?? [] {
            guard let value = attributes[name] else { continue }
            resources += name.hasSuffix("srcset") ? Self.candidates(value) : [value]
        }
    }

    /// Elements that load something, and the attributes that name it (HTML, the index of attributes).
    private static let attributes: [String: [String]] = [
        "audio": ["src"], "embed": ["src"], "frame": ["src"], "iframe": ["src"], "image": ["href"],
        "img": ["src", "srcset"], "input": ["src"], "object": ["data"], "script": ["src"],
        "source": ["src", "srcset"], "track": ["src"], "use": ["href", "xlink:href"],
        "video": ["src", "poster"],
    ]

    /// Sets the base of references; only the first one counts.
    private mutating func addBase(_ reference: String?) {
        guard !hasBase, let reference, let url = try? TargetURL(base).resolve(Self.trimmed(reference)) else {
            return
        }
        (base, hasBase) = (url.text, true)
    }

    /// Adds a link unless it is marked `nofollow`, which may lead crawlers into pages without end.
    private mutating func addLink(_ attributes: [String: String]) {
        guard let reference = attributes["href"], !Self.words(attributes["rel"]).contains("nofollow") else {
            return
        }
        links.append(reference)
    }

    private mutating func addRelated(_ attributes: [String: String]) {
        guard let reference = attributes["href"] else { return }
        let relations = Self.words(attributes["rel"])
        if !relations.isDisjoint(with: Self.loaded) {
            resources.append(reference)
        } else if !relations.isDisjoint(with: ["alternate", "canonical", "next", "prev"]) {
            links.append(reference)
        }
        if let images = attributes["imagesrcset"] { resources += Self.candidates(images) }
    }

    private static let loaded: Set<String> = [
        "apple-touch-icon", "compression-dictionary", "icon", "manifest", "mask-icon", "modulepreload",
        "preload",
        "prefetch", "stylesheet",
    ]

    /// Adds the URL of `<meta http-equiv=refresh content="5; url=/next">`.
    private mutating func addRefresh(_ attributes: [String: String]) {
        guard attributes["http-equiv"]?.lowercased() == "refresh",
            let parts = attributes["content"]?.split(separator: "=", maxSplits: 1), parts.count == 2,
            parts[0].lowercased().filter({ !$0.isWhitespace }).hasSuffix("url")
        else { return }
        links.append(String(parts[1].filter { $0 != "\"" && $0 != "'" }))
    }

    private static func words(_ text: String?) -> Set<String> {
        Set((text ?? "").split(whereSeparator: \.isWhitespace).map { $0.lowercased() })
    }

    private static func trimmed(_ text: String) -> String {
        let end = text.reversed().drop { $0.isWhitespace }
        // Browsers remove line ends and tabs anywhere in a reference.
        let text = String(end.reversed()).drop { $0.isWhitespace }.filter { $0 != "\t" && !$0.isNewline }
        return text.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }

    /// Returns the URLs of `srcset`: each is followed by white space and a description, or by a comma.
    static func candidates(_ text: String) -> [String] {
        var rest = text[...]
        var urls: [String] = []
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            guard !rest.isEmpty else { return urls }
            var url = rest.prefix { !$0.isWhitespace }
            rest = rest[url.endIndex...]
            // A comma within a URL is part of it, unless it is its end.
            if url.last != "," { rest = rest.drop { $0 != "," } }
            while url.last == "," { url.removeLast() }
            urls.append(String(url))
        }
    }
}
