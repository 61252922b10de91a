package import JSON
import TextCodings

/// What all reports in SARIF 2.1.0 have in common.
package enum SARIF {
    /// Returns a report of one run; `details` are members of the run beside its tool and its results.
    package static func document(
        driver: [(String, JSONValue)],
        details: [(String, JSONValue)] = [],
        results: [JSONValue]
    ) -> JSONValue {
        let tool = ("tool", JSONValue.object([("driver", .object(driver))]))
        let run = [tool] + details + [("results", .array(results)), ("columnKind", "unicodeCodePoints")]
        return .object([
            ("$schema", "https://json.schemastore.org/sarif-2.1.0.json"), ("version", "2.1.0"),
            ("runs", .array([.object(run)])),
        ])
    }

    /// Returns a message.
    package static func text(_ text: String) -> JSONValue { .object([("text", .string(text))]) }

    /// Returns a place in a file, as a member of a location; the whole file without a line and a column.
    package static func physicalLocation(in file: String, _ place: (line: Int, column: Int)?) -> (
        String, JSONValue
    ) {
        var members = [("artifactLocation", artifactLocation(of: file))]
        if let place {
            let numbers = [
                ("startLine", JSONValue.integer(place.line)), ("startColumn", .integer(place.column)),
            ]
            members.append(("region", .object(numbers)))
        }
        return ("physicalLocation", .object(members))
    }

    /// Returns the location of a path: relative ones are below the root of the sources (§3.4).
    private static func artifactLocation(of path: String) -> JSONValue {
        let isAbsolute = path.hasPrefix("/")
        let uri = PercentText.encode(path) { PercentText.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        return .object(
            [("uri", .string((isAbsolute ? "file://" : "") + uri))]
                + (isAbsolute ? [] : [("uriBaseId", "%SRCROOT%")])
        )
    }
}
