import ArgumentParser
import CacheSemantics
import CacheStorage
import Clocks
import Conformance
import Explanation
import HTTPTypes
import JSON
import LocatedYAML

/// Tells what a cache makes of a response, and why.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Tell what a cache makes of a response: whether it is stored, how long it is fresh, and why.",
        discussion: """
            The heads come from files as they stand on the wire (--request, --response, which may be -, --har), from \
            the options --url, -H, --status and -R, or, where none of these says anything of the response, from \
            standard input: a request head, an empty line and a response head, or a response head alone, as curl -v \
            or curl -I print them.

            A response without times is taken to have been received at its Date, at once, or now if it has none. With \
            --cache-dir the response is what a cache directory of cachecheck fetch has stored for the URL.

            Exit status: 0, 64 usage, 65 a bad file.
            """
    )

    @Argument(help: ArgumentHelp("With --cache-dir: the URL that would be asked for.", valueName: "URL"))
    var storedURL: String?

    @Option(help: ArgumentHelp("Head of the request; - is standard input.", valueName: "FILE"))
    var request: String?

    @Option(help: ArgumentHelp("Head of the response; - is standard input.", valueName: "FILE"))
    var response: String?

    @Option(help: ArgumentHelp("An HTTP archive (HAR) in place of both.", valueName: "FILE"))
    var har: String?

    @Option(help: ArgumentHelp("Which exchange of the archive, from 1.", valueName: "N"))
    var entry = 1

    @Option(help: ArgumentHelp("URL of the request, in place of its target and Host.", valueName: "URL"))
    var url: String?

    @Option(name: [.long, .customShort("X")], help: ArgumentHelp("Method of the request.", valueName: "M"))
    var method: String?

    @Option(
        name: [.long, .customShort("H")],
        help: ArgumentHelp("Field line of the request, 'Name: value'; may be repeated.", valueName: "N: V")
    )
    var header: [String] = []

    @Option(help: ArgumentHelp("Status of the response.", valueName: "CODE"))
    var status: Int?

    @Option(
        name: [.long, .customShort("R")],
        help: ArgumentHelp("Field line of the response, 'Name: value'; may be repeated.", valueName: "N: V")
    )
    var responseHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "Head of the next request, if it is another; - is standard input.",
            valueName: "FILE"
        )
    )
    var nextRequest: String?

    @Option(help: ArgumentHelp("What passes before the next request: 61s, 5m, 1d.", valueName: "T"))
    var after = "0s"

    @Option(help: "Whose cache it is: private or shared.")
    var cache = CacheKind.private

    @Option(
        help: ArgumentHelp(
            "A targeted field to obey (RFC 9213), such as CDN-Cache-Control; the first before the others.",
            valueName: "NAME"
        )
    )
    var target: [String] = []

    @Option(help: ArgumentHelp("The policy of the next request.", valueName: "P"))
    var policy = RequestCachePolicy.useProtocolCachePolicy.rawValue

    @Option(help: ArgumentHelp("A cache directory to look into.", valueName: "DIR"))
    var cacheDir: String?

    @Flag(help: "Show every rule that was consulted, too.")
    var rules = false

    @Flag(help: "Write one JSON object.")
    var json = false

    func validate() throws {
        guard RequestCachePolicy(rawValue: policy) != nil else {
            let names = RequestCachePolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--policy: found \"\(policy)\", expected one of \(names)")
        }
        guard Quantity.duration(after) != nil else {
            throw ValidationError(
                "--after: found \"\(after)\", expected a duration such as 61s, 5m, 2h or 1d"
            )
        }
        if let status, !(100...999).contains(status) {
            throw ValidationError("--status: found \(status), expected 100 to 999")
        }
        if let url, RawHead.absolute(url) == nil {
            throw ValidationError("--url: found \"\(url)\", expected an absolute http or https URL")
        }
        if let method, HTTPRequest.Method(method) == nil {
            throw ValidationError("--method: found \"\(method)\", expected a token such as GET")
        }
        for line in header + responseHeader where RawHead.field(line) == nil {
            throw ValidationError("found \"\(line)\", expected a field line 'Name: value'")
        }
        if har != nil, request != nil || response != nil {
            throw ValidationError("--har beside --request or --response, which it stands for.")
        }
        if [request, response, nextRequest].filter({ $0 == "-" }).count > 1 {
            throw ValidationError("Standard input has one head alone for options that name it.")
        }
        guard (cacheDir == nil) == (storedURL == nil) else {
            throw ValidationError(
                storedURL == nil
                    ? "--cache-dir DIR needs the URL that would be asked for."
                    : "A URL alone goes with --cache-dir DIR. Heads are read from standard input, or with --request "
                        + "FILE and --response FILE; --url URL is that of the request."
            )
        }
        if let storedURL, RawHead.absolute(storedURL) == nil {
            throw ValidationError("found \"\(storedURL)\", expected an absolute http or https URL")
        }
        if let name = target.first(where: { HTTPField.Name($0) == nil }) {
            throw ValidationError("--target: found \"\(name)\", expected the name of a field")
        }
    }

    func run() throws {
        let explanation: ExchangeExplanation
        do throws(YAMLProblems) {
            if let cacheDir, let storedURL {
                explanation = try stored(in: cacheDir, storedURL)
            } else {
                explanation = ExchangeExplanation(try exchange())
            }
        } catch {
            throw stop(error, Failure.badFile)
        }
        if json { return print(ExplanationText.json(explanation).written()) }
        print(ExplanationText.lines(explanation).joined(separator: "\n"))
        guard rules else { return }
        print("Rules that were consulted")
        for finding in explanation.findings {
            print(
                "  \(finding.held ? "+" : "-") \(finding.detail)  (\(finding.rule.section), \(finding.rule.rawValue))"
            )
        }
    }

    private var engine: CacheEngine {
        var engine = CacheEngine(kind: cache)
        engine.targets = target.compactMap { HTTPField.Name($0) }
        return engine
    }

    // MARK: Heads

    private func exchange() throws(YAMLProblems) -> ExplainedExchange {
        var exchange: ExplainedExchange
        if let har { exchange = try archived(har) } else { exchange = try heads() }
        exchange.engine = engine
        exchange.after = (Quantity.duration(after) ?? .zero).components.seconds
        exchange.policy = RequestCachePolicy(rawValue: policy) ?? .useProtocolCachePolicy
        if let nextRequest { exchange.next = try next(nextRequest, exchange.request.scheme ?? "http") }
        return exchange
    }

    private func archived(_ path: String) throws(YAMLProblems) -> ExplainedExchange {
        let archive = try HARFile(json: try text(of: path), file: path)
        guard (1...max(1, archive.count)).contains(entry), archive.count > 0 else {
            let start = Position(file: path, line: 1, column: 1)
            throw YAMLProblems([
                Problem(at: start, found: "\(archive.count) entries", expected: "an entry \(entry)")
            ])
        }
        return try archive.exchange(entry)
    }

    /// Whether nothing else says what the response is, or takes standard input for something else.
    private var readsInput: Bool {
        let isToldOtherwise = response != nil || status != nil || !responseHeader.isEmpty
        return !isToldOtherwise && request != "-" && nextRequest != "-"
    }

    /// The heads of files and options, or of standard input where neither say anything.
    private func heads() throws(YAMLProblems) -> ExplainedExchange {
        var (request, response) = (HTTPRequest?.none, HTTPResponse?.none)
        if readsInput {
            let parts = RawHead.split(try text(of: "-"))
            if let text = parts.request { request = try RawHead.request(text, file: "standard input") }
            response = try RawHead.response(parts.response, file: "standard input")
        }
        if let path = self.request { request = try RawHead.request(try text(of: path), file: path) }
        if let path = self.response { response = try RawHead.response(try text(of: path), file: path) }
        return exchange(asked(for: request), answered(with: response))
    }

    private func asked(for request: HTTPRequest?) -> HTTPRequest {
        var request =
            request
            ?? HTTPRequest(method: .get, scheme: "https", authority: "origin.example", path: "/")
        if let url, let (scheme, authority, path) = RawHead.absolute(url) {
            (request.scheme, request.authority, request.path) = (scheme, authority, path)
        }
        if let method = method.flatMap({ HTTPRequest.Method($0) }) { request.method = method }
        for field in header.compactMap(RawHead.field) { request.headerFields.append(field) }
        return request
    }

    private func answered(with response: HTTPResponse?) -> HTTPResponse {
        var response = response ?? HTTPResponse(status: .ok)
        if let status { response.status = .init(code: status) }
        for field in responseHeader.compactMap(RawHead.field) { response.headerFields.append(field) }
        return response
    }

    private func exchange(_ request: HTTPRequest, _ response: HTTPResponse) -> ExplainedExchange {
        let now = HTTPDate(secondsSinceEpoch: Int64(SystemClock().wallSeconds))
        let date = response.headerFields[.date].flatMap { HTTPDate(parsing: $0, now: now) }
        return ExplainedExchange(request: request, response: response, at: date ?? now)
    }

    private func next(_ path: String, _ scheme: String) throws(YAMLProblems) -> HTTPRequest {
        try RawHead.request(try text(of: path), file: path, scheme: scheme)
    }

    private func text(of path: String) throws(YAMLProblems) -> String {
        if let text = readText(path == "-" ? "/dev/stdin" : path) { return text }
        let start = Position(file: path, line: 1, column: 1)
        throw YAMLProblems([Problem(at: start, found: "a file that cannot be read", expected: "a head")])
    }

    // MARK: Cache directories

    /// What a cache directory has for a URL, or for one that is like it.
    private func stored(in folder: String, _ target: String) throws(YAMLProblems) -> ExchangeExplanation {
        var request = asked(for: nil)
        if let nextRequest {
            request.headerFields = try next(nextRequest, "http").headerFields + request.headerFields
        }
        if let (scheme, authority, path) = RawHead.absolute(target) {
            (request.scheme, request.authority, request.path) = (scheme, authority, path)
        }
        let clock = SystemClock()
        let seconds = (Quantity.duration(after) ?? .zero).components.seconds
        return ExchangeExplanation(
            request,
            among: try entries(in: folder, of: request, engine, clock),
            engine: engine,
            policy: RequestCachePolicy(rawValue: policy) ?? .useProtocolCachePolicy,
            now: HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds)).advanced(by: seconds)
        )
    }

    private func entries(
        in folder: String,
        of request: HTTPRequest,
        _ engine: CacheEngine,
        _ clock: SystemClock
    ) throws(YAMLProblems) -> [StoredResponse] {
        let store: CacheStore
        do throws(StorageError) {
            store = try CacheStore(CacheStore.Configuration(directory: folder), clock: clock)
        } catch {
            let start = Position(file: folder, line: 1, column: 1)
            throw YAMLProblems([Problem(at: start, found: "\(error)", expected: "a cache directory")])
        }
        defer { store.close() }
        for like in request.spelledOtherwise {
            let found = store.entries(for: engine.key(for: like)).entries.map(\.entry.stored)
            if !found.isEmpty { return found }
        }
        return []
    }
}

extension HTTPRequest {
    /// The request, and then those for URLs that are easily taken for its own.
    fileprivate var spelledOtherwise: [HTTPRequest] {
        let path = path ?? "/"
        let bare = String(path.prefix { $0 != "?" })
        let slashed = bare.hasSuffix("/") ? String(bare.dropLast()) : bare + "/"
        let schemes = [scheme ?? "http", scheme == "https" ? "http" : "https"]
        return schemes.flatMap { scheme in
            [path, bare, slashed].map { path in
                var copy = self
                (copy.scheme, copy.path) = (scheme, path)
                return copy
            }
        }
    }
}
