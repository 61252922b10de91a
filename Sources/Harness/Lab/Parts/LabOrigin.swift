import CacheSemantics
import HTTPTypes
import OriginScript

/// The resource at the origin: its content, and the description of it by the responses.
struct LabOrigin: Sendable {
    /// The path of the resource.
    static let path = "/article"
    /// The settings of its responses.
    var resource = LabResource()
    /// The number of the content's version, from 1.
    var version = 1
    /// When the content was last changed.
    var modified: HTTPDate
    /// Whether the origin accepts connections.
    var isUp = true

    /// Replaces the content.
    mutating func change(at now: HTTPDate) {
        version += 1
        modified = now
    }

    /// Replaces the settings; the modification time counts back from now.
    mutating func use(_ resource: LabResource, at now: HTTPDate) {
        self.resource = resource
        if let age = resource.modifiedBefore { modified = now.advanced(by: -age.components.seconds) }
    }

    /// The routes of the mock server: a representation for each language and each user.
    var routes: [Route] {
        let representations = Language.allCases.flatMap { language in
            User.allCases.map { user in route(language, user) }
        }
        let posted = Route(.exact(Self.path), method: "POST", Answer(status: 204))
        return representations + [posted]
    }

    private func route(_ language: Language, _ user: User) -> Route {
        var route = Route(
            label: "\(language.rawValue) \(user.rawValue)",
            path: .exact(Self.path),
            answers: []
        )
        route.methods = ["GET", "HEAD"]
        route.fields = language.conditions + user.conditions
        route.answers = [answer(language, user)]
        return route
    }

    private func answer(_ language: Language, _ user: User) -> Answer {
        var answer = Answer()
        answer.fields = [FieldLine(HTTPField.Name.contentType.rawName, .text("text/plain; charset=utf-8"))]
        answer.fields += resource.fields.map(\.line)
        answer.body = .text(language.text(of: version, for: user))
        if resource.hasEntityTag {
            answer.entityTag = .literal("\"v\(version)\(language.suffix)\(user.suffix)\"")
        }
        if resource.modifiedBefore != nil { answer.lastModified = .text(modified.text) }
        if resource.offersRanges { answer.ranges = .offered }
        return answer
    }
}

/// A language in which the resource is available.
private enum Language: String, CaseIterable {
    case german = "de"
    case english = "en"

    /// The first route that matches answers, so that English is the default.
    var conditions: [NamedMatch] {
        guard self == .german, let pattern = TextPattern("[dD][eE].*") else { return [] }
        return [NamedMatch(HTTPField.Name.acceptLanguage.rawName, .matches(pattern))]
    }

    var suffix: String { self == .german ? "-de" : "" }

    func text(of version: Int, for user: User) -> String {
        let greeting =
            switch (self, user.name) {
            case (.german, let name?): "Hallo \(name)! "
            case (.english, let name?): "Hello \(name)! "
            case (_, nil): ""
            }
        let title = self == .german ? "Dies ist Fassung \(version)." : "This is version \(version)."
        let filler = self == .german ? "Ein Absatz, der nur lang ist. " : "A paragraph that is merely long. "
        return greeting + title + "\n" + String(repeating: filler, count: 8) + "\n"
    }
}

/// A user who has logged in, by a cookie.
private enum User: String, CaseIterable {
    case ada, ben, nobody

    var name: String? {
        switch self {
        case .ada: "Ada"
        case .ben: "Ben"
        case .nobody: nil
        }
    }

    var conditions: [NamedMatch] {
        name == nil ? [] : [NamedMatch(HTTPField.Name.cookie.rawName, .contains("user=\(rawValue)"))]
    }

    var suffix: String { name == nil ? "" : "-\(rawValue)" }
}
