import ArgumentParser
import Audit
import CLibrary
import LocatedYAML

/// The files that an audit reads.
extension AuditCommand {
    /// Returns the policy of a file or, if there is no file of that name, a built-in one; `nil` without the option.
    func loadPolicy() throws -> AuditPolicy? {
        guard let policy else { return nil }
        return try orStop(ExitStatus.badFile) {
            let builtin = access(policy, F_OK) == 0 ? nil : BuiltinPolicy(rawValue: policy)?.text
            let text = try builtin ?? Self.text(of: policy)
            return try AuditPolicy.decode(text, file: policy)
        }
    }

    func loadBaseline() throws -> AuditBaseline {
        guard let baseline else { return AuditBaseline() }
        return try orStop(ExitStatus.badFile) {
            try AuditBaseline(text: try Self.text(of: baseline), file: baseline)
        }
    }

    func listed() throws -> [String] {
        guard let list else { return [] }
        return try orStop(ExitStatus.badFile) { try Self.lines(of: try Self.text(of: list), list) }
    }

    /// Returns the lines, with one URL per line; empty lines and those that begin with # are left out.
    private static func lines(of text: String, _ file: String) throws(YAMLProblems) -> [String] {
        let problems = ProblemCollector()
        let urls = text.drop { $0 == "\u{FEFF}" }.numberedLines.compactMap { number, line -> String? in
            let words = line.split(whereSeparator: \.isWhitespace).map { String($0) }
            guard let url = words.first, !url.hasPrefix("#") else { return nil }
            if words.count == 1, isURL(url) { return url }
            let place = Position(file: file, line: number, column: 1)
            let found = YAMLNode.quoted(words.joined(separator: " "))
            problems.add(at: place, found: found, expected: "one http or https URL")
            return nil
        }
        try problems.throwIfAny()
        return urls
    }

    static func text(of path: String) throws(YAMLProblems) -> String {
        try decodableText(path == "-" ? "/dev/stdin" : path, named: path, expected: "a readable file")
    }
}
