import CacheSemantics
import LocatedYAML
import Scenarios
import TextCodings

/// A driver's reply to one command.
struct DriverReply: Sendable {
    /// One stored response as `dump` reports it.
    struct Entry: Sendable {
        var url: String
        var status: Int
        var fields: [(name: String, value: String)]
        var body: [UInt8]
        /// The fields of the request that the response's `Vary` names; `nil` if the driver does not report them.
        var request: [(name: String, value: String)]?
    }
    /// An error as a driver reports it.
    struct Failure: Sendable, Hashable {
        /// The kind of error if a driver does not support the command.
        static let unsupported = "unsupported"
        /// The kind of error that is none of the known ones.
        static let unknown = "unknown"
        /// The kinds of errors: those of scenarios and two more.
        static let kinds = ErrorCode.names.map(\.name).filter { $0 != "none" } + [unknown, unsupported]
        var kind: String
        var text: String
    }
    /// The number of the command.
    var id: Int
    var hello: DriverCapabilities?
    var response: CallerObservation?
    var failure: Failure?
    var entries: [Entry]?

    /// Decodes one line of `file`; throws all problems that it finds.
    static func decode(_ line: [UInt8], file: String) throws(YAMLProblems) -> DriverReply {
        guard let text = String(validating: line, as: UTF8.self) else {
            let start = Position(file: file)
            throw YAMLProblems(at: start, found: "bytes that are not UTF-8", expected: "a line of JSON")
        }
        let node = try YAMLNode.parse(json: text, file: file)
        let problems = ProblemCollector()
        let reply = DriverReply(node, problems)
        try problems.throwIfAny()
        guard let reply else { throw YAMLProblems(node, expected: "a reply") }
        return reply
    }

    private init?(_ node: YAMLNode, _ problems: ProblemCollector) {
        guard let map = MapReader(node, problems, keys: ReplyKey.self),
            let id = map.required(.id, .integer(in: 1 ... .max))
        else { return nil }
        self.id = id
        failure = map.optional(.error, Reader(Failure.read))
        response = map.optional(.response, Reader(CallerObservation.read))
        entries = map.optional(.entries, Reader(Entry.read).list())
        if map[.protocol] != nil { hello = DriverCapabilities(map) }
    }
}

private enum ReplyKey: String, MapKey {
    case id, `protocol`, name, version, kind, capabilities, refuses, response, error, entries

    static let mapName = "a reply"
}

private enum RefusalsKey: String, MapKey {
    case fields, methods, content, hides, policies

    static let mapName = "the refusals"
}

private enum FailureKey: String, MapKey {
    case kind, text

    static let mapName = "an error"
}

private enum ResponseKey: String, MapKey {
    case status, fields, body, source, stale, age, redirects

    static let mapName = "a response"
}

private enum BodyKey: String, MapKey {
    case text, base64

    static let mapName = "a body"
}

private enum EntryKey: String, MapKey {
    case url, status, fields, body, request

    static let mapName = "an entry"
}

extension DriverCapabilities {
    fileprivate init?(_ map: MapReader<ReplyKey>) {
        let known = DriverCapabilities.protocolVersion
        _ = map.required(.protocol, .integer(in: known...known))
        guard let name = map.required(.name, .text), let version = map.required(.version, .text),
            let kind = map.required(.kind, .word(of: ["private", "shared", "none"])),
            let capabilities = map.required(.capabilities, Reader<Capability>.choice.list())
        else { return nil }
        // In reports of all formats, each on one line.
        self.init(
            name: Transcript.printable(name),
            version: Transcript.printable(version),
            kind: CacheKind(rawValue: kind),
            capabilities: Set(capabilities)
        )
        if let refuses = map.optional(.refuses, Reader(Refusals.read)) { self.refuses = refuses }
    }
}

extension DriverCapabilities.Refusals {
    fileprivate static func read(_ node: YAMLNode, _ problems: ProblemCollector) -> Self? {
        let limits = DriverCapabilities.Limit.allCases
        guard let map = MapReader(node, problems, keys: RefusalsKey.self, besides: limits.map(\.rawValue))
        else { return nil }
        func names(_ key: RefusalsKey) -> [String] { map.optional(key, Reader<String>.text.list()) ?? [] }
        var refuses = Self()
        refuses.fields = Set(names(.fields).map { $0.lowercased() })
        refuses.methods = Set(names(.methods))
        refuses.content = Set(names(.content))
        refuses.hides = Set(names(.hides).map { $0.lowercased() })
        let policy = Reader<RequestCachePolicy>.choice
        refuses.policies = Set(map.optional(.policies, policy.list()) ?? [])
        let declared = limits.filter { limit in
            node.value(of: limit.rawValue).flatMap { Reader<Bool>.bool.read($0, problems) } == true
        }
        refuses.limits = Set(declared)
        return refuses
    }
}

extension DriverReply.Failure {
    fileprivate static func read(_ node: YAMLNode, _ problems: ProblemCollector) -> Self? {
        guard let map = MapReader(node, problems, keys: FailureKey.self),
            let kind = map.required(.kind, .word(of: kinds)), let text = map.required(.text, .text)
        else { return nil }
        // It may quote what a server sent; reports show it on one line.
        return Self(kind: kind, text: Transcript.printable(text))
    }
}

extension Reader<Int> {
    /// A status code; RFC 9110 §15: one above 599 is invalid, but a cache can receive it and has to report it.
    fileprivate static var status: Reader<Int> { .integer(in: 100...999) }
}

extension CallerObservation {
    fileprivate static func read(_ node: YAMLNode, _ problems: ProblemCollector) -> Self? {
        guard let map = MapReader(node, problems, keys: ResponseKey.self),
            let status = map.required(.status, .status),
            let fields = map.required(.fields, Reader<(name: String, value: String)>.fieldLine.list())
        else { return nil }
        var seen = CallerObservation()
        seen.status = status
        seen.fields = fields
        seen.body = map[.body].map { $0.isNull ? [] : DriverReply.body($0, problems) } ?? []
        seen.source = map.optional(.source, Reader.choice(of: Provenance.ofCaches).orNothing).flatMap(\.self)
        seen.isStale = map.optional(.stale, Reader<Bool>.bool.orNothing).flatMap(\.self)
        seen.age = map.optional(.age, Reader<Double>.number.orNothing).flatMap(\.self)
        seen.redirects = map.optional(.redirects, .integer(in: 0...1000)) ?? 0
        return seen
    }
}

extension DriverReply {
    /// Reads content: `{"text": …}` or `{"base64": …}`.
    static func body(_ node: YAMLNode, _ problems: ProblemCollector) -> [UInt8] {
        guard let map = MapReader(node, problems, keys: BodyKey.self) else { return [] }
        if let text = map.optional(.text, .jsonText) { return Array(text.utf8) }
        return map.required(.base64, Reader(expected: "base64") { Base64.decode($0.text) }) ?? []
    }
}

extension DriverReply.Entry {
    fileprivate static func read(_ node: YAMLNode, _ problems: ProblemCollector) -> Self? {
        guard let map = MapReader(node, problems, keys: EntryKey.self), let url = map.required(.url, .text)
        else { return nil }
        return Self(
            url: url,
            status: map.optional(.status, .status) ?? 200,
            fields: map.optional(.fields, Reader<(name: String, value: String)>.fieldLine.list()) ?? [],
            body: map[.body].map { $0.isNull ? [] : DriverReply.body($0, problems) } ?? [],
            request: map.optional(.request, Reader<(name: String, value: String)>.fieldLine.list())
        )
    }
}

extension Reader {
    /// This reader, or `null`.
    fileprivate var orNothing: Reader<Value?> {
        Reader<Value?> { node, problems in node.isNull ? .some(nil) : read(node, problems) }
    }
}

extension Reader where Value == String {
    /// A quoted text, which may be empty.
    fileprivate static var jsonText: Reader {
        Reader { node, problems in
            if case .scalar(let scalar) = node.content, !scalar.isPlain { return scalar.text }
            problems.add(node, expected: "a string in quotes")
            return nil
        }
    }
}

extension Reader where Value == (name: String, value: String) {
    /// `["name", "value"]`; each character of a value is a byte, U+0000 to U+00FF.
    static var fieldLine: Reader {
        Reader { node, problems in
            guard let parts = node.elements, parts.count == 2,
                let name = Reader<String>.text.read(parts[0], problems),
                let value = Reader<String>.jsonText.read(parts[1], problems)
            else {
                problems.add(node, expected: "[\"name\", \"value\"]")
                return nil
            }
            if value.unicodeScalars.allSatisfy({ $0.value < 256 }) { return (name, value) }
            problems.add(
                at: parts[1].position,
                found: parts[1].summary,
                expected: "characters up to U+00FF, one for each byte"
            )
            return nil
        }
    }
}
