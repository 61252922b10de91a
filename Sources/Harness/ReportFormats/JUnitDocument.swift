package import LocatedYAML

/// JUnit's XML, which CI services read: test suites, whose cases it counts.
package struct JUnitDocument {
    private let name: String
    private let time: String?
    private var suites: [String] = []
    private var cases: [JUnitCase] = []

    /// Creates a document without suites; `time` is in seconds.
    package init(_ name: String, time: String? = nil) {
        self.name = name
        self.time = time
    }

    /// Adds a suite.
    package mutating func add(_ suite: String, time: String? = nil, _ cases: [JUnitCase]) {
        let attributes = [("name", suite)] + Self.counts(of: cases, time)
        suites += ["  <testsuite\(JUnitCase.text(attributes))>"] + cases.flatMap(\.lines) + ["  </testsuite>"]
        self.cases += cases
    }

    /// The document as XML.
    package var text: String {
        let attributes = [("name", name)] + Self.counts(of: cases, time)
        let head = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites\(JUnitCase.text(attributes))>",
        ]
        return (head + suites + ["</testsuites>"]).map { $0 + "\n" }.joined()
    }

    private static func counts(of cases: [JUnitCase], _ time: String?) -> [(String, String)] {
        let counted = [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        return [("tests", "\(cases.count)")]
            + counted.map { name, element in (name, "\(cases.count { $0.has(element) })") }
            + (time.map { [("time", $0)] } ?? [])
    }
}

/// A test case of JUnit's XML: it passed if it has neither a failure nor an error and was not skipped.
package struct JUnitCase {
    /// An element of a test case: a failure, an error, a reason to skip it, or output.
    package struct Element {
        fileprivate let name: String
        fileprivate let attributes: [(String, String)]
        fileprivate var content: String?

        /// Returns an expectation that did not hold.
        package static func failure(_ type: String, _ message: String, _ details: String? = nil) -> Element {
            Element(name: "failure", attributes: [("type", type), ("message", message)], content: details)
        }

        /// Returns an error that prevented the test.
        package static func error(_ type: String, _ message: String, _ details: String? = nil) -> Element {
            Element(name: "error", attributes: [("type", type), ("message", message)], content: details)
        }

        /// Returns the reason why the case does not count.
        package static func skipped(_ reason: String) -> Element {
            Element(name: "skipped", attributes: [("message", reason)])
        }

        /// Returns the output that the test printed.
        package static func output(_ text: String) -> Element {
            Element(name: "system-out", attributes: [], content: text)
        }

        fileprivate var line: String {
            let head = "      <" + name + JUnitCase.text(attributes)
            return content.map { "\(head)>\(Markup.text($0))</\(name)>" } ?? head + "/>"
        }
    }
    private let attributes: [(String, String)]
    private let elements: [Element]

    /// Creates a case of a suite; `place` is where it is defined, `time` is in seconds.
    package init(
        _ name: String,
        of suite: String,
        at place: Position? = nil,
        time: String,
        _ elements: [Element]
    ) {
        attributes =
            [("classname", suite), ("name", name)]
            + (place.map { [("file", $0.file), ("line", "\($0.line)")] } ?? []) + [("time", time)]
        self.elements = elements
    }

    fileprivate func has(_ element: String) -> Bool { elements.contains { $0.name == element } }

    fileprivate var lines: [String] {
        let head = "    <testcase" + Self.text(attributes)
        return elements.isEmpty
            ? [head + "/>"] : [head + ">"] + elements.map(\.line) + ["    </testcase>"]
    }

    fileprivate static func text(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0)=\"\(Markup.attribute($1))\"" }.joined()
    }
}
