public import FaultProxy
import JSON
public import LocatedYAML

/// A failing case in one file, with everything needed to reproduce it.
public struct SavedFailure: Sendable, Hashable {
    /// The extension of such files.
    public static let ending = ".failure.json"
    /// The full id of the scenario.
    public var scenario: String
    /// The kind of cache.
    public var cache: String
    /// The transport to the origin.
    public var transport = ""
    /// The seed of random faults.
    public var seed: UInt64 = 0
    /// The enabled deviations from the RFCs.
    public var deviations: [String] = []
    /// The path of the scenario's file.
    public var file: String
    /// The text of the scenario's file.
    public var text: String
    /// The result in one line.
    public var verdict: String
    /// The trace of the run, which a repetition must equal.
    public var trace = Trace()
    /// The versions of programs and libraries.
    public var versions: [String] = []
    /// The cache under test.
    public var subject = Subject()
    /// The exchanges with the origin; not read back.
    public var exchanges: [CapturedExchange] = []

    /// The cache under test as the command line named it, and what it needs.
    public struct Subject: Sendable, Hashable {
        /// The value of `--subject`: `builtin`, `proxy=http://127.0.0.1:8080`.
        public var choice = "builtin"
        /// Its name with its version, as reports have it; empty if that is not known.
        public var title = ""
        /// The value of `--origin-port`; `nil` without one.
        public var originPort: Int?
        /// The value of `--origin-listen`.
        public var originAddress = "127.0.0.1"
        /// The value of `--time`.
        public var time = "auto"

        /// Creates the built-in client.
        public init() {}
    }

    /// The events of a run that do not depend on the machine: random decisions, movements of the clock, transferred bytes.
    public struct Trace: Sendable, Hashable {
        /// The random decisions, one per line.
        public var decisions: [String] = []
        /// The movements of the clock, one per line.
        public var clock: [String] = []
        /// SHA-256 of the bytes on the connections, in hexadecimal; empty without connections.
        public var wire = ""

        /// Creates an empty trace.
        public init() {}

        /// Returns the first difference of another run, with both lines; `nil` if they are equal.
        public func firstDifference(from other: Trace) -> String? {
            for (name, here, there) in [
                ("decisions", decisions, other.decisions), ("clock", clock, other.clock),
            ] {
                for index in 0..<max(here.count, there.count) {
                    let (old, new) = (here.dropFirst(index).first, there.dropFirst(index).first)
                    guard old != new else { continue }
                    return
                        "\(name) line \(index + 1): found \"\(old ?? "nothing")\", this run has \"\(new ?? "nothing")\""
                }
            }
            if !wire.isEmpty, wire != other.wire {
                return
                    "wire: found SHA-256 \(wire), this run has \(other.wire.isEmpty ? "nothing" : other.wire)"
            }
            return nil
        }
    }

    /// Creates a case.
    public init(scenario: String, cache: String, file: String, text: String, verdict: String) {
        self.scenario = scenario
        self.cache = cache
        self.file = file
        self.text = text
        self.verdict = verdict
    }

    /// Returns the names of the files of one run's failures, all different: id and kind of cache, in letters, digits and `-`.
    public static func fileNames(of failures: [SavedFailure]) -> [String] {
        var names = FileNames(longest: 200)
        return failures.map { names.name(for: "\($0.scenario) \($0.cache)", ending: ending) }
    }

    /// The text of its file.
    public var json: String {
        JSONValue.object([
            ("cachecheck-failure", .string("1")), ("scenario", .string(scenario)), ("cache", .string(cache)),
            ("subject", subject.json),
            ("transport", .string(transport)), ("seed", .string("\(seed)")),
            ("deviations", JSONValue(deviations)),
            ("verdict", .string(verdict)), ("versions", JSONValue(versions)),
            ("decisions", JSONValue(trace.decisions)),
            ("clock", JSONValue(trace.clock)), ("wire", .string(trace.wire)), ("file", .string(file)),
            ("text", .string(text)),
            ("har", HARFile.log(exchanges, version: versions.first ?? "")),
        ]).written(.indented) + "\n"
    }

    /// Parses a file; throws its problems with their positions.
    public init(json: String, file path: String) throws(YAMLProblems) {
        let root = try YAMLNode.parse(json: json, file: path, size: .archive)
        let problems = ProblemCollector()
        func text(_ key: String) -> String {
            if let text = root.value(of: key)?.scalarText { return text }
            problems.add(at: root.position, found: "no string \"\(key)\"", expected: "a saved failing case")
            return ""
        }
        func list(_ key: String) -> [String] {
            root.value(of: key)?.elements?.compactMap(\.scalarText) ?? []
        }
        let seed = text("seed")
        if !seed.isEmpty, UInt64(seed) == nil {
            problems.add(at: root.position, found: YAMLNode.quoted(seed), expected: "a seed")
        }
        self.init(
            scenario: text("scenario"),
            cache: text("cache"),
            file: text("file"),
            text: text("text"),
            verdict: text("verdict")
        )
        transport = text("transport")
        self.seed = UInt64(seed) ?? 0
        deviations = list("deviations")
        trace.decisions = list("decisions")
        trace.clock = list("clock")
        trace.wire = root.value(of: "wire")?.scalarText ?? ""
        versions = list("versions")
        if let node = root.value(of: "subject") { subject = Subject(node) }
        try problems.throwIfAny()
    }
}

extension SavedFailure.Subject {
    fileprivate var json: JSONValue {
        .object([
            ("choice", .string(choice)), ("title", .string(title)),
            ("origin-port", originPort.map { .integer($0) } ?? .null),
            ("origin-listen", .string(originAddress)), ("time", .string(time)),
        ])
    }

    fileprivate init(_ node: YAMLNode) {
        choice = node.value(of: "choice")?.scalarText ?? choice
        title = node.value(of: "title")?.scalarText ?? title
        originPort = node.value(of: "origin-port")?.scalarText.flatMap { UInt16($0) }.map { Int($0) }
        originAddress = node.value(of: "origin-listen")?.scalarText ?? originAddress
        time = node.value(of: "time")?.scalarText ?? time
    }
}
