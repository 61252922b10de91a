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

    init(settings: [String: [PageSetting]]) {
        self.settings = settings
    }

    /// Whether a request is for a page, or for the list of pages.
    static func hasPage(for request: ServedRequest) -> Bool {
        let path = PercentText.decode(TargetParts(request.target).path)
        return path == "/" || pages.contains { $0.path == path }
    }

    /// Returns the answer to a request.
    func answer(_ request: ServedRequest) -> Answer {
        let target = TargetParts(request.target)
        // On the decoded path, like the documents' server; unlike it, the match is exact and malformed paths are
        // answered.
        guard let path = PercentText.decode(target.path) else {
            return .plain(status: 400, "The path \(target.path) has a malformed escape.")
        }
        if path == "/" { return index(request) }
        guard let page = Self.pages.first(where: { $0.path == path }) else {
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
            return answer
        } catch {
            return .plain(status: 400, error.description)
        }
    }

    private func index(_ request: ServedRequest) -> Answer {
        guard ["GET", "HEAD"].contains(request.method) else {
            return Answer.notAllowed(["GET", "HEAD"], request.method)
        }
        let pages = Self.pages.map { page in
            "\(page.methods[0]) \(page.path)  \(page.summary)"
        }
        let lines = pages + ["GET \(Self.journalPath)  the last exchanges, as JSON", "", PageSetting.help]
        return .plain(status: 200, lines.joined(separator: "\n"))
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

    /// Chunked by default, as on the documents' server.
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
