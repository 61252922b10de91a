import Locks

/// Writes exchanges as a site that answers as the origin did: a file of routes for each resource, contents beside.
///
/// Requests that are alike get the answers in the order in which they came.
public final class FixtureWriter: Sendable {
    private struct Entry {
        let conditions: FixtureConditions
        /// The lines of each answer, in order.
        var answers: [[String]] = []
    }
    private struct Resource {
        let file: String
        let title: String
        var entries: [Entry] = []
    }
    private struct State {
        var resources: [String: Resource] = [:]
        var names = FileNames()
        var bodyNames = FileNames()
        /// Names of contents by what they hold.
        var bodies: [[UInt8]: String] = [:]
        var count = 0
    }
    /// So many answers are kept for requests that are alike.
    private static let mostAnswers = 1000
    private let folder: FixtureFolder
    private let redaction: Redaction
    private let isOfAnyHost: Bool
    /// One writer at a time: files are small, and what is written later must stand later.
    private let state = Lock(State())

    /// Begins a recording in a folder; with `isOfAnyHost` routes ask for the host, too.
    public init(
        folder path: String,
        redaction: Redaction = Redaction(),
        isOfAnyHost: Bool = false
    ) throws(RecordingError) {
        folder = try FixtureFolder(path: path)
        self.redaction = redaction
        self.isOfAnyHost = isOfAnyHost
    }

    /// How many exchanges were written.
    public var count: Int { state.withLock { $0.count } }

    /// How many resources they are of.
    public var resourceCount: Int { state.withLock { $0.resources.count } }

    /// Writes an exchange; afterwards the folder serves all that came so far.
    public func add(_ original: CapturedExchange) throws(RecordingError) {
        let exchange = redaction.applied(to: original)
        let conditions = FixtureConditions(exchange, original, isOfAnyHost: isOfAnyHost)
        let place = (isOfAnyHost ? original.origin : "") + exchange.path
        let (body, newBody, resource) = state.withLock { state in
            let (name, isNew) = Self.body(of: exchange, &state)
            var resource = state.resources[place] ?? Self.resource(exchange, isOfAnyHost, &state)
            let answer = FixtureAnswer(exchange, file: name.map { "bodies/" + $0 })
            let index = resource.entries.firstIndex { $0.conditions == conditions }
            if index == nil { resource.entries.append(Entry(conditions: conditions)) }
            let entry = index ?? resource.entries.count - 1
            if resource.entries[entry].answers.count < Self.mostAnswers {
                resource.entries[entry].answers.append(answer.lines)
            }
            state.resources[place] = resource
            state.count += 1
            return (name, isNew, resource)
        }
        // A file that names a content is written after it.
        if let body, newBody { try folder.write(exchange.response.body, to: .bodies, body) }
        try folder.write(Array(Self.text(resource).utf8), to: .routes, resource.file)
    }

    private static func resource(
        _ exchange: CapturedExchange,
        _ isOfAnyHost: Bool,
        _ state: inout State
    ) -> Resource {
        let subject = isOfAnyHost ? exchange.origin + exchange.path : exchange.path
        return Resource(file: state.names.name(for: subject, ending: ".yaml"), title: exchange.path)
    }

    private static func body(of exchange: CapturedExchange, _ state: inout State) -> (String?, Bool) {
        let body = exchange.response.body
        if body.isEmpty { return (nil, false) }
        if let known = state.bodies[body] { return (known, false) }
        let ending = FileEnding.of(exchange.response.fields)
        let name = state.bodyNames.name(for: exchange.path.dropEnding(ending), ending: ending)
        state.bodies[body] = name
        return (name, true)
    }

    // MARK: Text

    private static func text(_ resource: Resource) -> String {
        let all = resource.entries.map(\.conditions)
        let ordered = resource.entries.enumerated().sorted { left, right in
            (-left.element.conditions.weight, left.offset) < (-right.element.conditions.weight, right.offset)
        }
        return ordered.map { text($0.element, resource.title, beside: all) }.joined()
    }

    /// An element of the list of answers.
    private static func item(_ answer: [String]) -> [String] {
        guard let first = answer.first else { return ["    - {}"] }
        return ["    - " + first] + answer.dropFirst().map { "      " + $0 }
    }

    private static func text(_ entry: Entry, _ path: String, beside all: [FixtureConditions]) -> String {
        var lines = ["- path: \(FixtureText.scalar(path))"]
        lines += entry.conditions.lines(beside: all).map { "  " + $0 }
        var answers = entry.answers
        // The last answer repeats.
        while answers.count > 1, answers[answers.count - 1] == answers[answers.count - 2] {
            answers.removeLast()
        }
        if answers.count == 1 {
            lines += answers[0].isEmpty ? ["  answer: {}"] : ["  answer:"] + answers[0].map { "    " + $0 }
        } else {
            lines.append("  answers:")
            for answer in answers { lines += item(answer) }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The ending of a file by what its content is.
enum FileEnding {
    static func of(_ fields: [CapturedExchange.Field]) -> String {
        let type = (fields.combined(FieldNames.contentType) ?? "").lowercased().prefix {
            $0 != ";" && $0 != " "
        }
        let ending = endings[String(type)] ?? (type.hasSuffix("+json") ? ".json" : ".bin")
        switch fields.combined(FieldNames.contentEncoding)?.lowercased() {
        case "gzip", "x-gzip": return ending + ".gz"
        case "br": return ending + ".br"
        case "zstd": return ending + ".zst"
        default: return ending
        }
    }

    private static let endings = [
        "application/json": ".json", "text/html": ".html", "text/plain": ".txt", "text/css": ".css",
        "text/javascript": ".js", "application/javascript": ".js", "image/jpeg": ".jpg", "image/png": ".png",
        "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg", "application/xml": ".xml",
        "text/xml": ".xml", "application/pdf": ".pdf",
    ]
}

extension String {
    /// The text without the ending that it would get a second time.
    fileprivate func dropEnding(_ ending: String) -> String {
        lowercased().hasSuffix(ending) ? String(dropLast(ending.count)) : self
    }
}
