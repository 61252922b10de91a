import CacheSemantics
import LocatedYAML

/// A command as a driver receives it.
struct ReceivedDriverCommand: Sendable {
    let id: Int
    let command: DriverCommand

    /// Decodes one line; throws all problems that are found.
    static func decode(_ line: String) throws(YAMLProblems) -> ReceivedDriverCommand {
        let node = try YAMLNode.parse(json: line, file: "the command")
        let problems = ProblemCollector()
        let received = ReceivedDriverCommand(node, problems)
        try problems.throwIfAny()
        guard let received else { throw YAMLProblems(node, expected: "a command") }
        return received
    }

    private init?(_ node: YAMLNode, _ problems: ProblemCollector) {
        guard let map = MapReader(node, problems, keys: CommandKey.self),
            let id = map.required(.id, .integer(in: 1 ... .max)),
            let name = map.required(.op, .word(of: DriverCommand.names)),
            let command = DriverCommand(name, map)
        else { return nil }
        (self.id, self.command) = (id, command)
    }
}

private enum CommandKey: String, MapKey {
    case id, op, `protocol`, now, method, url, fields, body, policy, timeout, redirects, milliseconds

    static let mapName = "a command"
}

extension DriverCommand {
    fileprivate static let names = ["hello", "reset", "restart", "request", "advance", "idle", "dump"]

    /// By how many milliseconds a clock can be advanced at once.
    private static let advances = 0...Int(Int32.max) * 1000

    fileprivate init?(_ name: String, _ map: MapReader<CommandKey>) {
        switch name {
        case "hello": self = .hello
        case "reset": self = .reset(wallSeconds: map.optional(.now, .number) ?? 0)
        case "restart": self = .restart
        case "advance":
            guard let amount = map.required(.milliseconds, .integer(in: Self.advances)) else { return nil }
            self = .advance(.milliseconds(amount))
        case "idle": self = .idle
        case "dump": self = .dump
        default:
            guard let request = SubjectRequest(map) else { return nil }
            self = .request(request)
        }
    }
}

extension SubjectRequest {
    fileprivate init?(_ map: MapReader<CommandKey>) {
        guard let method = map.required(.method, .text), let url = map.required(.url, .text) else {
            return nil
        }
        self.init(method: method, url: url)
        followsRedirects = map.optional(.redirects, .bool) ?? true
        fields = map.optional(.fields, Reader<(name: String, value: String)>.fieldLine.list()) ?? []
        body = map.unlessNull(.body, Reader(DriverReply.body))
        policy = map.unlessNull(.policy, Reader<RequestCachePolicy>.choice)
        timeout = map.unlessNull(.timeout, .integer(in: 0...Int(Int32.max))).map { .milliseconds($0) }
    }
}

extension MapReader<CommandKey> {
    /// Reads `key` if it is present and not null.
    fileprivate func unlessNull<Value>(_ key: CommandKey, _ reader: Reader<Value>) -> Value? {
        self[key]?.isNull == true ? nil : optional(key, reader)
    }
}
