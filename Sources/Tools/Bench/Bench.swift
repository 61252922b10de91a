import CLibrary
import Locks

/// Measures operations on this machine and compares them with their goals and with plain C programs over the same
/// libraries.
@main
struct Bench {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            print(Machine.facts)
            let figures = Lock<[Figure]>([])
            for area in options.areas {
                try await area.run(options) { figure in
                    print(figure.line)
                    fflush(nil)
                    figures.withLock { $0.append(figure) }
                }
            }
            if let path = options.jsonPath { try write(figures.withLock { $0 }, to: path) }
        } catch {
            complain("bench: \(error)")
            exit((error as? Failure)?.status ?? 70)
        }
    }

    private static func write(_ figures: [Figure], to path: String) throws(Failure) {
        let text = "[\n" + figures.map(\.json).joined(separator: ",\n") + "\n]\n"
        guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
            throw Failure(status: 70, text: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }
}

/// Writes a line to standard error.
func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = bytes.withUnsafeBytes { CLibrary.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// The reason why the benchmark cannot continue.
struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let text: String
    var description: String { text }
}

/// An area of the benchmark.
enum Area: String, CaseIterable {
    case engine, store, client, server, gateway, proxy, audit, scenarios, fetching

    /// Measures the area and reports each figure, those of the server as soon as they are available.
    func run(_ options: Options, _ report: @Sendable (Figure) -> Void) async throws {
        switch self {
        case .engine: if options.wants("plan-fresh") { EngineBench.run().forEach(report) }
        case .store: try await StoreBench.run(options).forEach(report)
        case .client: try await ClientBench.run(options).forEach(report)
        case .server: try await ServerBench.run(options, report)
        case .gateway: try await gateway(options, report)
        case .proxy: try ProxyBench.run(options, report)
        case .audit: try AuditBench.run(options, report)
        case .scenarios: if options.wants("scenario-run") { try ScenarioBench.run(options).forEach(report) }
        case .fetching: try await FetchingBench.run(options, report)
        }
    }

    private func gateway(_ options: Options, _ report: (Figure) -> Void) async throws {
        try await PurgeBench.run(options).forEach(report)
        if options.wants("gateway-hit") { try GatewayBench.run(options).forEach(report) }
        if options.wants("gateway-file-hit") { report(try GatewayFileBench.run(options)) }
        if options.wanted.isEmpty || options.wanted.hasPrefix("gateway-slow") {
            try SlowReaderBench.run(options, report)
        }
    }
}

/// The options of the command line.
struct Options {
    var areas = Area.allCases
    var jsonPath: String?
    /// The maximum number of entries in the store.
    var maximumEntries = 1_000_000
    /// The number of runs of all scenarios in the server area's `same-seed`.
    var seedRuns = 100
    /// Folder of the compared programs: `cachecheck` and `plain-server`.
    var programs = "."
    /// The duration of the fetching area's `hammer` in seconds.
    var hammerSeconds = 20
    /// The prefix of the names of the figures to measure; empty for all.
    var wanted = ""

    /// Whether a figure is to be measured.
    func wants(_ figure: String) -> Bool { wanted.isEmpty || figure.hasPrefix(wanted) }

    init(_ arguments: some Sequence<String>) throws(Failure) {
        var named: [Area] = []
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": jsonPath = try Self.value(of: argument, &rest)
            case "--programs": programs = try Self.value(of: argument, &rest)
            case "--only": wanted = try Self.value(of: argument, &rest)
            case "--entries": maximumEntries = try Self.number(of: argument, from: 100, &rest)
            case "--seconds": hammerSeconds = try Self.number(of: argument, from: 1, &rest)
            case "--seed-runs": seedRuns = try Self.number(of: argument, from: 2, &rest)
            default: named.append(try Self.area(argument))
            }
        }
        if !named.isEmpty { areas = named }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Failure) -> String {
        guard let value = rest.popFirst() else { throw Failure(status: 64, text: "\(option) needs a value") }
        return value
    }

    private static func number(
        of option: String,
        from least: Int,
        _ rest: inout ArraySlice<String>
    ) throws(Failure) -> Int {
        let text = try value(of: option, &rest)
        guard let number = Int(text), number >= least else {
            throw Failure(status: 64, text: "\(option): found \(text), expected a number from \(least)")
        }
        return number
    }

    private static func area(_ text: String) throws(Failure) -> Area {
        guard let area = Area(rawValue: text) else {
            let known = Area.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(
                status: 64,
                text:
                    "found \(text), expected --json FILE, --entries N, --only FIGURE, --seconds N, --seed-runs N or one of \(known)"
            )
        }
        return area
    }
}
