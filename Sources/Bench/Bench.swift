import Glibc

/// Prints what operations cost on this machine, beside their goals and plain C programs over the same libraries.
@main
struct Bench {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            print(Machine.facts)
            var figures: [Figure] = []
            for area in options.areas {
                for figure in try await area.run(options) {
                    print(figure.line)
                    fflush(nil)
                    figures.append(figure)
                }
            }
            if let path = options.jsonPath { try write(figures, to: path) }
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
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Why the benchmark cannot go on.
struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let text: String
    var description: String { text }
}

/// A part of the benchmark.
enum Area: String, CaseIterable {
    case engine, store, client, server, gateway, scenarios, fetching

    func run(_ options: Options) async throws -> [Figure] {
        switch self {
        case .engine: EngineBench.run()
        case .store: try await StoreBench.run(options)
        case .client: try await ClientBench.run(options)
        case .server: try await ServerBench.run(options)
        case .gateway: try GatewayBench.run(options)
        case .scenarios: try ScenarioBench.run(options)
        case .fetching: try await FetchingBench.run(options)
        }
    }
}

/// The command line.
struct Options {
    var areas = Area.allCases
    var jsonPath: String?
    /// Most entries that the store is filled with.
    var mostEntries = 1_000_000
    /// Folder with the programs that are compared: `cachecheck` and `plain-server`.
    var programs = "."
    /// What the names of the figures begin with that are wanted of `store` and `client`; empty for all.
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
            case "--entries":
                let text = try Self.value(of: argument, &rest)
                guard let number = Int(text), number >= 100 else {
                    throw Failure(status: 64, text: "--entries: found \(text), expected a number from 100")
                }
                mostEntries = number
            default: named.append(try Self.area(argument))
            }
        }
        if !named.isEmpty { areas = named }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Failure) -> String {
        guard let value = rest.popFirst() else { throw Failure(status: 64, text: "\(option) needs a value") }
        return value
    }

    private static func area(_ text: String) throws(Failure) -> Area {
        guard let area = Area(rawValue: text) else {
            let known = Area.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(
                status: 64,
                text: "found \(text), expected --json FILE, --entries N, --only FIGURE or one of \(known)"
            )
        }
        return area
    }
}
