import ArgumentParser
import CLibrary
import JSON
import LocatedYAML
import Locks

/// The file `cachecheck.yaml` of the current folder: options that a project gives to each subcommand.
///
/// A map of subcommands to maps of option names, without hyphens, to values: a scalar, `true` for a flag, or a list for
/// an option that may be repeated. Options of the command line come after those of the file, so they take precedence.
struct ProjectDefaults {
    static let path = "cachecheck.yaml"
    /// The options of a subcommand: names of those with a value, of those of them that may be repeated, and of flags.
    struct Options {
        var valued: Set<String> = []
        var repeatable: Set<String> = []
        var flags: Set<String> = []
    }
    private let root: YAMLNode
    private let known: [String: Options]

    /// Parses the text of the file; `known` are the subcommands.
    init(text: String, known: [String: Options]) throws(YAMLProblems) {
        root = try YAMLNode.parse(text, file: Self.path)
        self.known = known
        let problems = ProblemCollector()
        check(problems)
        try problems.throwIfAny()
    }

    /// Returns the arguments with the options of the file, except one, after the subcommand.
    func adding(to arguments: [String], except omitted: String? = nil) -> [String] {
        guard let command = arguments.first, let options = root.value(of: command)?.pairs else {
            return arguments
        }
        let added = options.filter { $0.key != omitted }.flatMap { pair in
            (pair.value.elements ?? [pair.value]).flatMap { words(pair.key, $0, of: command) }
        }
        return [command] + added + arguments.dropFirst()
    }

    /// Returns the options of the file that are not among the arguments.
    private func untyped(in arguments: [String]) -> Set<String> {
        let names = root.value(of: arguments.first ?? "")?.pairs?.map { "--" + $0.key } ?? []
        return Set(names.filter { name in !arguments.contains { $0 == name || $0.hasPrefix(name + "=") } })
    }

    /// Throws the place of the first value in the file that makes the parser refuse the arguments.
    ///
    /// The command line's own mistakes are refused without the file, too, and a flag has no wrong value.
    private func requireAccepted(with arguments: [String]) throws(YAMLProblems) {
        guard let command = arguments.first, let reason = Self.refusal(of: adding(to: arguments)) else {
            return
        }
        let options = (root.value(of: command)?.pairs ?? []).filter {
            known[command]?.valued.contains($0.key) == true
        }
        for option in options
        where Self.refusal(of: adding(to: arguments, except: option.key)) != reason {
            throw YAMLProblems(option.value, expected: "what --\(option.key) accepts: \(reason)")
        }
    }

    private static func refusal(of arguments: [String]) -> String? {
        do {
            _ = try CacheCheck.parseAsRoot(arguments)
            return nil
        } catch {
            return CacheCheck.message(for: error)
        }
    }

    private func words(_ name: String, _ value: YAMLNode, of command: String) -> [String] {
        let text = value.scalarText ?? ""
        if known[command]?.flags.contains(name) == true { return text == "true" ? ["--\(name)"] : [] }
        return ["--\(name)", text]
    }

    // MARK: Checking

    private func check(_ problems: ProblemCollector) {
        guard let commands = root.orEmptyMap.pairs else {
            return problems.add(root, expected: "a map of subcommands")
        }
        for command in commands { check(command, problems) }
    }

    private func check(_ command: YAMLPair, _ problems: ProblemCollector) {
        guard let options = known[command.key] else {
            let expected = NearestKey.alternatives(known.keys.sorted())
            return problems.add(at: command.keyPosition, found: "\"\(command.key)\"", expected: expected)
        }
        guard let pairs = command.value.pairs else {
            return problems.add(command.value, expected: "a map of options")
        }
        for option in pairs { check(option, options, problems) }
    }

    private func check(_ option: YAMLPair, _ options: Options, _ problems: ProblemCollector) {
        let names = options.valued.union(options.flags).sorted()
        guard names.contains(option.key) else {
            let expected =
                names.isEmpty ? "no option" : NearestKey.expected(for: option.key, among: names)
            return problems.add(at: option.keyPosition, found: "\"\(option.key)\"", expected: expected)
        }
        let isFlag = options.flags.contains(option.key)
        if option.value.elements != nil, !options.repeatable.contains(option.key) {
            return problems.add(option.value, expected: isFlag ? "true or false" : "one value")
        }
        for value in option.value.elements ?? [option.value] {
            let isValid = value.scalarText.map { !isFlag || $0 == "true" || $0 == "false" } ?? false
            if isValid { continue }
            problems.add(value, expected: isFlag ? "true or false" : "a value or a list of values")
        }
    }
}

extension ProjectDefaults {
    private static let untyped = Lock<Set<String>>([])

    /// Whether an option such as `--time` has its value from the file: it may have no effect beside those that were typed.
    static func hasValue(of option: String) -> Bool { untyped.withLock { $0.contains(option) } }

    /// Returns the arguments of this process with the options of the file; ends the process with the problems of the file.
    static func arguments(_ given: [String]) throws -> [String] {
        guard access(path, F_OK) == 0 else { return given }
        return try orStop(ExitStatus.badFile) {
            let text = try decodableText(path, expected: "a map of subcommands")
            let defaults = try ProjectDefaults(text: text, known: try subcommands())
            untyped.withLock { $0 = defaults.untyped(in: given) }
            try defaults.requireAccepted(with: given)
            return defaults.adding(to: given)
        }
    }

    /// Returns the subcommands with their options, from the description from which completions and man pages are made.
    private static func subcommands() throws(YAMLProblems) -> [String: Options] {
        let tool = try YAMLNode.parse(json: CacheCheck._dumpHelp(), file: "help")
        var known: [String: Options] = [:]
        // Those with subcommands have no options, but their subcommands do.
        for command in tool.value(of: "command")?.value(of: "subcommands")?.elements ?? []
        where command.value(of: "subcommands") == nil {
            known[command.value(of: "commandName")?.scalarText ?? ""] = Options(of: command)
        }
        known["help"] = nil
        return known
    }
}

extension ProjectDefaults.Options {
    /// Reads the long options of a subcommand from its description.
    fileprivate init(of command: YAMLNode) {
        for argument in command.value(of: "arguments")?.elements ?? [] {
            let names = (argument.value(of: "names")?.elements ?? []).compactMap { name in
                name.value(of: "kind")?.scalarText == "long" ? name.value(of: "name")?.scalarText : nil
            }
            switch argument.value(of: "kind")?.scalarText {
            case "option":
                valued.formUnion(names)
                if argument.value(of: "isRepeating")?.scalarText == "true" { repeatable.formUnion(names) }
            case "flag": flags.formUnion(names.filter { $0 != "help" && $0 != "version" })
            default: break
            }
        }
    }
}
