import FoundationEssentials
import Testing
import TestSupport

/// Compares text with a file of `fixtures/reports`.
///
/// `RECORD=1` writes the file instead, and is refused when `CI` is set. A missing file is a failure.
enum Golden {
    static func expect(_ text: String, equals name: String, sourceLocation: SourceLocation = #_sourceLocation)
    {
        let environment = ProcessInfo.processInfo.environment
        let path = folder + "/" + name
        if environment["RECORD"] == "1" {
            guard environment["CI"] == nil else {
                Issue.record("RECORD=1 is refused when CI is set", sourceLocation: sourceLocation)
                return
            }
            guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
                Issue.record("cannot write \(path)", sourceLocation: sourceLocation)
                return
            }
        }
        guard let contents = FileManager.default.contents(atPath: path) else {
            Issue.record("\(path) is missing; record it with RECORD=1", sourceLocation: sourceLocation)
            return
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let golden = String(decoding: contents, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let difference = zip(lines, golden).enumerated().first { $0.element.0 != $0.element.1 }
        if let difference {
            let (seen, expected) = difference.element
            Issue.record(
                "\(name):\(difference.offset + 1): expected `\(expected)`, seen `\(seen)`",
                sourceLocation: sourceLocation
            )
        }
        #expect(lines.count == golden.count, "lines of \(name)", sourceLocation: sourceLocation)
    }

    private static let folder = packageFolder + "/fixtures/reports"
}
