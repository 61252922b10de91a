public import ArgumentParser
import CacheClient
public import CacheSemantics
public import Conformance
import Scenarios

extension CacheKind: ExpressibleByArgument {}

extension RequestCachePolicy: ExpressibleByArgument {}

extension Shard: ExpressibleByArgument {
    /// Parses `I/N`.
    public init?(argument: String) { self.init(argument) }
}

extension PageFormat: ExpressibleByArgument {}

extension RunOptions.Transport: ExpressibleByArgument {}

extension RunOptions.Time: ExpressibleByArgument {}

/// The http or https URL that paths are appended to; a trailing slash is dropped.
struct URLBase: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard ClientRequest(url: argument).problem == nil,
            argument.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !argument.contains(where: { "?#".contains($0) })
        else { return nil }
        text = String(argument.reversed().drop { $0 == "/" }.reversed())
    }
}

/// Levels, as given on the command line.
struct LevelList: ExpressibleByArgument {
    let levels: Set<RuleLevel>

    init?(argument: String) {
        let names = argument.split(separator: ",")
        levels = Set(names.compactMap { RuleLevel(rawValue: String($0)) })
        if names.isEmpty || levels.count != Set(names).count { return nil }
    }
}

/// A report, as given on the command line: `KIND` or `KIND=FILE`.
struct ReportRequest<Kind>: ExpressibleByArgument, Hashable where Kind: RawRepresentable<String> & Hashable {
    let kind: Kind
    var path: String?

    init(kind: Kind) {
        self.kind = kind
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = Kind(rawValue: String(parts[0])), parts.count == 1 || !parts[1].isEmpty else {
            return nil
        }
        self.kind = kind
        path = parts.count == 2 ? String(parts[1]) : nil
    }
}

extension Array where Element: Hashable {
    /// The elements in order, each once: cachecheck.yaml and a command line may have the same.
    var withoutRepetitions: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension ReportRequest where Kind: CaseIterable {
    /// The names of the formats, for a help text.
    static var names: String { Kind.allCases.map(\.rawValue).joined(separator: ", ") }
    /// A help text about the formats, without a full stop.
    static var help: String { "Report format: \(names); =FILE writes a file" }
}
