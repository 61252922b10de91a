import HTTPServing
import OriginScript
import TextCodings

/// The pages outside namespaces: the documents' endpoints, an index and the journal.
struct DemoSite: Sendable {
    private struct Page {
        var path: String
        var methods: [String]
        var answer: Answer
        var summary: String
    }
    static let journalPath = "/journal"
    static let imagePath = "/image"
    /// Paths of the pages with settings.
    static var paths: [String] { pages.map(\.path) }
    /// Settings by path.
    private let settings: [String: [PageSetting]]
    /// The manner of matching pages.
    let matching: PageMatching

    init(settings: [String: [PageSetting]], matching: PageMatching) {
        (self.settings, self.matching) = (settings, matching)
    }

    /// Whether a request is for a page, or for the list of pages.
    func hasPage(for request: ServedRequest) -> Bool {
        guard let path = PercentText.decode(TargetParts(request.target).path) else { return false }
        return path == "/" || page(at: path, request.target) != nil
    }

    /// Returns the page for a request with a decoded path.
    private func page(at path: String, _ target: String) -> Page? {
        switch matching {
        case .path: return Self.pages.first { $0.path == path }
        case .contained:
            let text = PercentText.decode(target) ?? path
            return Self.pages.first { text.contains($0.path) }
        }
    }

    /// Returns the answer to a request.
    func answer(_ request: ServedRequest) -> Answer {
        let target = TargetParts(request.target)
        // On the decoded path, like the documents' server; unlike it, malformed paths are answered, and by default the
        // match is exact.
        guard let path = PercentText.decode(target.path) else {
            return .plain(status: 400, "The path \(target.path) has a malformed escape.")
        }
        if path == "/" { return index(request) }
        guard let page = page(at: path, request.target) else {
            return .plain(status: 404, "There is no page at \(path). GET / lists the pages.")
        }
        guard page.methods.contains(request.method) else {
            return Answer.notAllowed(page.methods, request.method)
        }
        return configured(page, target.query)
    }

    /// Returns the journal as JSON.
    func journal(_ request: ServedRequest, _ entries: [RecordedExchange]) -> Answer {
        guard ["GET", "HEAD"].contains(request.method) else {
            return Answer.notAllowed(["GET", "HEAD"], request.method)
        }
        return Self.json(JournalText.json(entries), framing: .length, fields: [Self.noStore])
    }

    private func configured(_ page: Page, _ query: String?) -> Answer {
        do {
            var answer = page.answer
            // This name is too common to be a setting of other pages.
            let asked = try PageSetting.list(query: query).filter {
                $0.name != "format" || page.path == Self.imagePath
            }
            for setting in (settings[page.path] ?? []) + asked { try setting.apply(to: &answer) }
            answer.fields += PageSetting.misspelled(in: query).map(Self.warning)
            return answer
        } catch {
            return .plain(status: 400, error.description)
        }
    }

    /// Returns the field that reports a setting with a misspelled name, in visible ASCII.
    private static func warning(_ name: String, _ intended: String) -> FieldLine {
        let shown = String(decoding: name.utf8.map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        return FieldLine("X-CacheCheck-Unknown-Setting", .text("\(shown); did you mean \(intended)?"))
    }

    private func index(_ request: ServedRequest) -> Answer {
        guard ["GET", "HEAD"].contains(request.method) else {
            return Answer.notAllowed(["GET", "HEAD"], request.method)
        }
        if Self.prefersHTML(request) {
            let fields = [
                FieldLine(FieldName.contentType, .text("text/html; charset=utf-8")), Self.varyAccept,
            ]
            return Self.text(IndexPage.text, fields)
        }
        let pages = Self.pages.map { "\($0.methods[0]) \($0.path)  \($0.summary)" }
        let lines = pages + ["GET \(Self.journalPath)  the last exchanges, as JSON", "", PageSetting.help]
        return .plain(status: 200, lines.joined(separator: "\n"), fields: [Self.varyAccept])
    }

    /// Whether a request names HTML among the types that it accepts, as browsers do.
    private static func prefersHTML(_ request: ServedRequest) -> Bool {
        request.fields.contains { field in
            field.name.isSameFieldName(as: FieldName.accept) && field.value.lowercased().contains("text/html")
        }
    }

    /// The pages, each with the method that it answers and a summary.
    static var summaries: [(method: String, path: String, summary: String)] {
        pages.map { ($0.methods[0], $0.path, $0.summary) } + [
            ("GET", journalPath, "the last exchanges, as JSON")
        ]
    }

    private static let varyAccept = FieldLine(FieldName.vary, .text(FieldName.accept))

    private static func text(_ text: String, _ fields: [FieldLine]) -> Answer {
        var answer = Answer()
        (answer.fields, answer.body) = (fields, .text(text))
        return answer
    }

    private static let noStore = FieldLine(FieldName.cacheControl, .text("no-store"))

    private static let pages: [Page] = [
        Page(
            path: "/fetchMockData",
            methods: ["GET", "HEAD"],
            answer: json(#"{"status":"success","data":[{"id":1,"name":"one"},{"id":2,"name":"two"}]}"#),
            summary: "a list as JSON"
        ),
        Page(
            path: "/get",
            methods: ["GET", "HEAD"],
            answer: json(#"{"data":"GET Method","status":"Success"}"#),
            summary: "a JSON object"
        ),
        Page(
            path: "/post",
            methods: ["POST"],
            answer: json(#"{"data":"POST Method","status":"Success"}"#),
            summary: "a JSON object; form, JSON and multipart content is shown in the journal"
        ),
        Page(
            path: imagePath,
            methods: ["GET", "HEAD"],
            answer: image,
            summary: "a JPEG; with format=png a PNG"
        ),
    ]

    private static var image: Answer {
        var answer = Answer()
        answer.fields = [FieldLine(FieldName.contentType, .text("image/jpeg"))]
        answer.body = .file("image.jpg")
        answer.framing = .chunked
        return answer
    }

    /// Returns an answer with JSON; chunked by default, as on the documents' server.
    private static func json(
        _ text: String,
        framing: Framing = .chunked,
        fields: [FieldLine] = []
    ) -> Answer {
        var answer = Answer()
        answer.fields = [FieldLine(FieldName.contentType, .text("application/json"))] + fields
        answer.body = .text(text)
        answer.framing = framing
        return answer
    }
}

extension Answer {
    /// Returns the answer to a method that a resource does not have, RFC 9110 §15.5.6.
    static func notAllowed(_ methods: [String], _ method: String) -> Answer {
        let allowed = methods.joined(separator: ", ")
        let allow = FieldLine(FieldName.allow, .text(allowed))
        return plain(status: 405, "\(method) is not allowed here; allowed: \(allowed).", fields: [allow])
    }
}
