import ArgumentParser
import CacheClient
import CacheSemantics
import Conformance
import Explanation
import HTTPTypes
import JSON
import LocatedYAML

/// `cachecheck explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain what a cache does with a response: whether it is stored, how long it is fresh, and why.",
        discussion: """
            Heads are read in wire format from files (--request and --response, which may be -, or --har), from the \
            options --url, -H, --status and -R, or, if none of these describes the response, from standard input: a \
            request head, an empty line and a response head, or only a response head, as printed by curl -v or \
            curl -I. Several heads, as printed by curl -IL, are explained one after the other; a response after a \
            redirect is that of the Location.

            A response is assumed to have been received at its Date, or now if it has none. With \
            --cache-dir the response is what the folder of cachecheck fetch --cache-dir has stored for the URL.

            Exit status: 0, 64 usage, 65 a bad file.
            """
    )

    @Argument(help: ArgumentHelp("With --cache-dir: the URL of the request.", valueName: "URL"))
    var storedURL: String?

    @Option(help: ArgumentHelp("File with the request head; - is standard input.", valueName: "FILE"))
    var request: String?

    @Option(help: ArgumentHelp("File with the response head; - is standard input.", valueName: "FILE"))
    var response: String?

    @Option(help: ArgumentHelp("HTTP archive (HAR) to read both heads from.", valueName: "FILE"))
    var har: String?

    @Option(
        name: .customLong("entry"),
        help: ArgumentHelp("With --har: number of the archive's entry, from 1. (default: 1)", valueName: "N")
    )
    var givenEntry: Int?

    @Option(help: ArgumentHelp("URL of the request; overrides its target and Host.", valueName: "URL"))
    var url: String?

    @Option(
        name: [.long, .customShort("X")],
        help: ArgumentHelp("Method of the request.", valueName: "METHOD"),
        transform: requestMethod
    )
    var method: HTTPRequest.Method?

    @Option(
        name: [.long, .customShort("H")],
        help: ArgumentHelp("Field line of the request, 'Name: value'. May be repeated.", valueName: "LINE"),
        transform: fieldLine
    )
    var header: [HTTPField] = []

    @Option(help: ArgumentHelp("Status of the response.", valueName: "CODE"))
    var status: Int?

    @Option(
        name: [.long, .customShort("R")],
        help: ArgumentHelp("Field line of the response, 'Name: value'. May be repeated.", valueName: "LINE"),
        transform: fieldLine
    )
    var responseHeader: [HTTPField] = []

    @Option(
        help: ArgumentHelp(
            "File with the head of the next request, if it differs; - is standard input.",
            valueName: "FILE"
        )
    )
    var nextRequest: String?

    @Option(
        help: ArgumentHelp("Time before the next request: 61s, 5m, 1d. (default: 0s)", valueName: "TIME"),
        transform: wholeSeconds
    )
    var after: Duration?

    @OptionGroup(title: "Freshness")
    var freshness: FreshnessOptions

    @Option(help: ArgumentHelp("Kind of cache.", valueName: "KIND"))
    var cache = CacheKind.private

    @Option(
        help: ArgumentHelp(
            "Targeted field to obey, such as CDN-Cache-Control (RFC 9213), in order of precedence.",
            valueName: "NAME"
        ),
        transform: fieldName
    )
    var target: [HTTPField.Name] = []

    @Option(help: ArgumentHelp("Cache policy of the next request.", valueName: "POLICY"))
    var policy = RequestCachePolicy.useProtocolCachePolicy

    @Option(help: ArgumentHelp("Folder of the disk tier to read.", valueName: "DIR"))
    var cacheDir: String?

    @Flag(help: "Also show every rule that was consulted.")
    var rules = false

    @Flag(help: "Print only the advice for the response's author, problems first.")
    var problems = false

    @Flag(help: "Print one JSON object, or an array for several heads.")
    var json = false

    func validate() throws {
        try validateSources()
        try validateValues()
    }

    private func validateValues() throws {
        if entry < 1 { throw ValidationError("--entry: found \(entry), expected 1 or more") }
        if let status, !(100...999).contains(status) {
            throw ValidationError("--status: found \(status), expected 100 to 999")
        }
        for (name, url) in [("--url: ", url), ("", storedURL)] {
            guard let url, (try? TargetURL(url)) == nil else { continue }
            throw ValidationError("\(name)found \"\(url)\", expected an absolute http or https URL")
        }
    }

    /// Throws a `ValidationError` if a head comes from more than one source.
    private func validateSources() throws {
        if cacheDir != nil {
            try refuse(described + [("--har", har != nil), ("--url", url != nil)], with: "--cache-dir")
        }
        if har != nil {
            try refuse(described + ofRequest, with: "--har")
        } else {
            try refuse([("--entry", givenEntry != nil)], without: "--har")
        }
        if json { try refuse([("--problems", problems)], with: "--json") }
        if [request, response, nextRequest].filter({ $0 == Self.input }).count > 1 {
            throw ValidationError("Only one option may read standard input")
        }
        try demand(cacheDir == nil || storedURL != nil, "--cache-dir DIR requires the URL of the request")
        try demand(
            storedURL == nil || cacheDir != nil,
            "A URL argument requires --cache-dir DIR. Heads are read from standard input, or with --request "
                + "FILE and --response FILE; --url URL sets the URL of the request."
        )
    }

    /// The options that give the heads of the exchange to explain.
    private var described: [(name: String, isGiven: Bool)] {
        [
            ("--request", request != nil), ("--response", response != nil), ("--status", status != nil),
            ("--response-header", !responseHeader.isEmpty),
        ]
    }

    /// The options that change the request.
    private var ofRequest: [(name: String, isGiven: Bool)] {
        [("--url", url != nil), ("--method", method != nil), ("--header", !header.isEmpty)]
    }

    var entry: Int { givenEntry ?? 1 }

    func run() throws {
        let exchanges: [ExplainedExchange]
        do throws(YAMLProblems) {
            if let cacheDir, let storedURL { return show(try stored(in: cacheDir, storedURL)) }
            exchanges = try self.exchanges()
        } catch {
            throw stop(error, ExitStatus.badFile)
        }
        if json {
            let values = exchanges.map { ExplanationText.json(ExchangeExplanation($0)) }
            return print((values.count == 1 ? values[0] : .array(values)).written())
        }
        for index in exchanges.indices { show(exchanges, index) }
    }

    private func show(_ exchanges: [ExplainedExchange], _ index: Int) {
        let exchange = exchanges[index]
        if exchanges.count > 1 {
            let source = "\(exchange.response.status.code) from \(exchange.url)"
            print((index == 0 ? "" : "\n") + "Response \(index + 1) of \(exchanges.count): \(source)")
        }
        if let assumption = Self.assumption(of: exchange), !problems { print(assumption) }
        show(ExchangeExplanation(exchange))
    }

    private func show(_ explanation: ExchangeExplanation) {
        if json { return print(ExplanationText.json(explanation).written()) }
        let lines = problems ? ExplanationText.advice(explanation) : ExplanationText.lines(explanation)
        for line in lines { print(line) }
        guard rules else { return }
        print("Rules that were consulted")
        for finding in explanation.findings {
            print(
                "  \(finding.held ? "+" : "-") \(finding.detail)  (\(finding.rule.section), \(finding.rule.rawValue))"
            )
        }
    }

    var engine: CacheEngine {
        var engine = CacheEngine(kind: cache)
        engine.targets = target
        freshness.apply(to: &engine)
        return engine
    }
}
