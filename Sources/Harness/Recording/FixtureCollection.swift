import FaultProxy
import HTTPServing

/// Converts exchanges to a site that responds like the origin: routes by resource, and content files.
///
/// Does no I/O. Equal requests get the recorded responses in order.
struct FixtureCollection {
    /// The changes that a new exchange makes to the site's files.
    struct Change {
        /// Name and bytes of a new content file; `nil` without content, or if the content is already stored.
        var body: (name: String, bytes: [UInt8])?
        /// The name of the resource's file.
        var file: String
        /// The complete text of that file.
        var text: String
    }
    private struct Answer {
        /// The conditions of the request that it answered.
        let conditions: FixtureConditions
        /// The position of its exchange among all.
        let number: Int
        let lines: [String]
    }
    private struct Entry {
        let conditions: FixtureConditions
        /// The answers in order; those of other entries, too, whose requests equal those of this one.
        var answers: [Answer] = []
    }
    private struct Resource {
        let file: String
        let title: String
        var entries: [Entry] = []

        /// Adds an answer to the entry of its request, and to those with more fields that the request satisfies.
        mutating func add(_ answer: Answer) {
            if !entries.contains(where: { $0.conditions == answer.conditions }) { begin(answer.conditions) }
            for index in entries.indices where entries[index].answers.count < FixtureCollection.maximumAnswers
            {
                let conditions = entries[index].conditions
                guard conditions == answer.conditions || answer.conditions.alsoSatisfies(conditions) else {
                    continue
                }
                entries[index].answers.append(answer)
            }
        }

        /// Adds an entry with the earlier answers to requests that satisfy its conditions.
        private mutating func begin(_ conditions: FixtureConditions) {
            let earlier = entries.flatMap { entry in
                entry.answers.filter {
                    $0.conditions == entry.conditions && $0.conditions.alsoSatisfies(conditions)
                }
            }
            let answers = earlier.sorted { $0.number < $1.number }.prefix(
                FixtureCollection.maximumAnswers - 1
            )
            entries.append(Entry(conditions: conditions, answers: Array(answers)))
        }
    }
    /// The maximum number of responses for equal requests.
    private static let maximumAnswers = 1000
    /// The folder of content files within the site's folder.
    static let bodiesFolder = "bodies/"
    private let redaction: Redaction
    private let isOfAnyHost: Bool
    private var resources: [String: Resource] = [:]
    /// The keys of `resources` in the order of their first exchange.
    private var order: [String] = []
    private var names = FileNames()
    private var bodyNames = FileNames()
    /// The names of content files by their bytes.
    private var bodies: [[UInt8]: String] = [:]
    /// The number of exchanges.
    private(set) var count = 0

    /// Creates an empty collection; with `isOfAnyHost` routes match the host, too.
    init(redaction: Redaction, isOfAnyHost: Bool) {
        self.redaction = redaction
        self.isOfAnyHost = isOfAnyHost
    }

    /// The number of resources.
    var resourceCount: Int { resources.count }

    /// The file of each resource with its text, in the order of their first exchange.
    var files: [(name: String, text: String)] {
        order.compactMap { resources[$0].map { ($0.file, Self.text($0)) } }
    }

    /// The content files by the names in the routes.
    var contents: [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: bodies.map { (Self.bodiesFolder + $1, $0) })
    }

    /// Adds an exchange.
    mutating func add(_ original: CapturedExchange) -> Change {
        let exchange = redaction.applied(to: original)
        let conditions = FixtureConditions(exchange, original, isOfAnyHost: isOfAnyHost)
        let place = (isOfAnyHost ? original.origin : "") + exchange.path
        let (name, isNew) = body(of: exchange)
        if resources[place] == nil { order.append(place) }
        var resource = resources[place] ?? made(for: exchange)
        let lines = FixtureAnswer(exchange, file: name.map { Self.bodiesFolder + $0 }).lines
        resource.add(Answer(conditions: conditions, number: count, lines: lines))
        resources[place] = resource
        count += 1
        let body = isNew ? name.map { ($0, exchange.response.body) } : nil
        return Change(body: body, file: resource.file, text: Self.text(resource))
    }

    private mutating func made(for exchange: CapturedExchange) -> Resource {
        let subject = isOfAnyHost ? exchange.origin + exchange.path : exchange.path
        return Resource(file: names.name(for: subject, ending: ".yaml"), title: exchange.path)
    }

    private mutating func body(of exchange: CapturedExchange) -> (String?, Bool) {
        let body = exchange.response.body
        if body.isEmpty { return (nil, false) }
        if let known = bodies[body] { return (known, false) }
        let ending = FileEnding.of(exchange.response.fields)
        let name = bodyNames.name(for: exchange.path.dropEnding(ending), ending: ending)
        bodies[body] = name
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

    /// Returns the lines of an answer as an element of a list.
    private static func item(_ answer: [String]) -> [String] {
        guard let first = answer.first else { return ["    - {}"] }
        return ["    - " + first] + answer.dropFirst().map { "      " + $0 }
    }

    private static func text(_ entry: Entry, _ path: String, beside all: [FixtureConditions]) -> String {
        var lines = ["- path: \(FixtureText.path(path))"]
        lines += entry.conditions.lines(beside: all).map { "  " + $0 }
        var answers = entry.answers.map(\.lines)
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

/// The file name extension by media type and content coding.
enum FileEnding {
    static func of(_ fields: [CapturedExchange.Field]) -> String {
        let type = (fields.combined(FieldName.contentType) ?? "").lowercased().prefix {
            $0 != ";" && $0 != " "
        }
        let ending = endings[String(type)] ?? (type.hasSuffix("+json") ? ".json" : ".bin")
        switch fields.combined(FieldName.contentEncoding)?.lowercased() {
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
    /// Returns the text without the extension, if it already has it.
    fileprivate func dropEnding(_ ending: String) -> String {
        lowercased().hasSuffix(ending) ? String(dropLast(ending.count)) : self
    }
}
