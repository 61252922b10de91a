package import LocatedYAML
package import Scenarios

/// A step that acts on files of the stack and checks them.
package struct FilesStep: Sendable {
    /// The folder of the files.
    package enum Folder: String, Sendable, Hashable, CaseIterable {
        /// The application cache.
        case results
        /// Partial downloads.
        case parts
        /// Downloaded files.
        case downloads
        /// The image cache.
        case images
    }
    /// An action on each selected file.
    package enum Action: Sendable, Hashable {
        /// Changes the byte at this offset.
        case damage(Int)
        /// Truncates the file to this length.
        case truncate(Int)
        /// Removes the file.
        case remove
    }
    /// The folder of the files.
    package var folder: Folder
    /// The suffix of the selected files' names; empty for all files.
    package var suffix = ""
    /// The action; `nil` if there is none.
    package var action: Action?
    /// The number of files.
    package var count: Located<NumberExpectation>?
    /// The names, sorted.
    package var names: Located<[String]>?
    /// The total number of bytes.
    package var bytes: Located<NumberExpectation>?
    /// The first bytes of each file, as hexadecimal digits.
    package var beginning: Located<String>?
    /// The content of each file.
    package var body: Located<BodyExpectation>?
    /// The length of each name up to its first dot.
    package var nameLength: Located<NumberExpectation>?

    /// Creates a step without an action.
    package init(_ folder: Folder) { self.folder = folder }
}

extension FilesStep {
    /// Returns the expectations that are not met by files with these names and contents, sorted.
    package func check(_ files: [(name: String, bytes: [UInt8])], context: ExpectationContext) -> [Mismatch] {
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
        let digits = file.bytes.prefix((beginning?.value.count ?? 0) / 2).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        mismatches.check(beginning, "\(file.name): beginning", digits.joined())
        mismatches.check(body, "\(file.name): body", file.bytes, in: context)
    }
}

extension StackReading {
    /// Reads an action on files of the stack and their expected state.
    func files(_ node: YAMLNode, expect: YAMLNode?) -> FilesStep? {
        guard let map = MapReader<FilesKey>(node, problems),
            let folder = map.required(.in, Reader<FilesStep.Folder>.choice)
        else { return nil }
        var step = FilesStep(folder)
        map.set(&step.suffix, .suffix, .text)
        let actions = map.keys.filter { [.damage, .truncate, .remove].contains($0) }
        refuseSeveral(actions.count, on: "files", at: map.position)
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
        Reader(expected: "an even number of lower-case hexadecimal digits, in quotes") { scalar in
            let isHex = scalar.text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
            return isHex && !scalar.text.isEmpty && scalar.text.utf8.count.isMultiple(of: 2)
                ? scalar.text : nil
        }
    }
}
