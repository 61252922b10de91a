public import LocatedYAML
public import Scenarios

/// Files of the stack: something done to them from outside, and what must be there.
public struct FilesStep: Sendable {
    /// Whose files.
    public enum Folder: String, Sendable, Hashable, CaseIterable {
        /// The application cache's.
        case results
        /// Those of downloads that have not ended.
        case parts
        /// Those that were downloaded.
        case downloads
        /// The image cache's.
        case images
    }
    /// What is done to each file that is meant.
    public enum Action: Sendable, Hashable {
        /// The byte at this place becomes another.
        case damage(Int)
        /// What is after so many bytes is cut off.
        case truncate(Int)
        /// It is removed.
        case remove
    }
    /// Whose files.
    public var folder: Folder
    /// The end of the names of those that are meant; empty for all.
    public var suffix = ""
    /// What is done; `nil` for nothing.
    public var action: Action?
    /// How many there are.
    public var count: Located<NumberExpectation>?
    /// Their names, sorted.
    public var names: Located<[String]>?
    /// The sum of their bytes.
    public var bytes: Located<NumberExpectation>?
    /// What each begins with, as hexadecimal digits.
    public var beginning: Located<String>?
    /// The content of each.
    public var body: Located<BodyExpectation>?
    /// How long each name is, without the part from its first dot.
    public var nameLength: Located<NumberExpectation>?

    /// Creates a step that does nothing.
    public init(_ folder: Folder) { self.folder = folder }
}

extension FilesStep {
    /// Returns what of this does not hold of files with these names and contents, sorted.
    public func check(_ files: [(name: String, bytes: [UInt8])], context: ExpectationContext) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.check(count, "count", files.count)
        mismatches.check(names, "names", files.map(\.name))
        mismatches.check(bytes, "bytes", files.reduce(0) { $0 + $1.bytes.count })
        for file in files { check(file, context, &mismatches) }
        return mismatches.list
    }

    private func check(
        _ file: (name: String, bytes: [UInt8]),
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        mismatches.check(nameLength, "name-length", file.name.prefix { $0 != "." }.count)
        if let beginning {
            let digits = file.bytes.prefix(beginning.value.count / 2).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            mismatches.require(
                digits.joined() == beginning.value,
                "\(file.name): beginning",
                at: beginning.position,
                expected: beginning.value,
                seen: digits.joined()
            )
        }
        mismatches.check(body, "\(file.name): body", file.bytes, in: context)
    }
}

extension StackReading {
    /// Something done to files of the stack, and what must be there.
    func files(_ node: YAMLNode, expect: YAMLNode?) -> FilesStep? {
        guard let map = MapReader<FilesKey>(node, problems),
            let folder = map.required(.in, Reader<FilesStep.Folder>.choice)
        else { return nil }
        var step = FilesStep(folder)
        map.set(&step.suffix, .suffix, .text)
        let actions = map.keys.filter { [.damage, .truncate, .remove].contains($0) }
        if actions.count > 1 {
            problems.add(at: map.position, found: "\(actions.count) things done to files", expected: "one")
        }
        if let place = map.optional(.damage, .size) { step.action = .damage(place) }
        if let length = map.optional(.truncate, .size) { step.action = .truncate(length) }
        if map.optional(.remove, .bool) == true { step.action = .remove }
        guard let expect, let wanted = MapReader<FilesExpectKey>(expect, problems) else { return step }
        step.count = wanted.located(.count, ScenarioReading.comparison(of: .number))
        step.names = wanted.located(.names, Reader.text.list())
        step.bytes = wanted.located(.bytes, ScenarioReading.comparison(of: Reader.size.map(Double.init)))
        step.beginning = wanted.located(.beginning, Self.hexadecimal)
        step.body = wanted.located(.body, reading.expectedBody)
        step.nameLength = wanted.located(.nameLength, ScenarioReading.comparison(of: .number))
        return step
    }

    private static var hexadecimal: Reader<String> {
        Reader(expected: "an even number of hexadecimal digits, lower case, in quotes") { scalar in
            let isHex = scalar.text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
            return isHex && !scalar.text.isEmpty && scalar.text.utf8.count.isMultiple(of: 2)
                ? scalar.text : nil
        }
    }
}
