package import JSON
package import LocatedYAML
import TextCodings

/// A report of one run in SARIF 2.1.0.
package struct SARIF {
    /// Ids of the rules that the report describes; their indexes are part of results.
    private let rules: [String]

    /// Creates a report that describes these rules; repetitions count once.
    package init(rules: [String]) {
        var seen: Set<String> = []
        self.rules = rules.filter { seen.insert($0).inserted }
    }

    /// Returns the report.
    ///
    /// `describe` returns the members of a rule besides its id, `details` are members of the run besides its tool and its
    /// results.
    package func document(
        driver: [(String, JSONValue)],
        describe: (String) -> [(String, JSONValue)],
        details: [(String, JSONValue)] = [],
        results: [JSONValue]
    ) -> JSONValue {
        let described = rules.map { JSONValue.object([("id", .string($0))] + describe($0)) }
        let tool: JSONValue = .object([("driver", .object(driver + [("rules", .array(described))]))])
        let run =
            [("tool", tool)] + details + [("results", .array(results)), ("columnKind", "unicodeCodePoints")]
        return .object([
            ("$schema", "https://json.schemastore.org/sarif-2.1.0.json"), ("version", "2.1.0"),
            ("runs", .array([.object(run)])),
        ])
    }

    /// Returns the members of a result about a rule; the index of one that is not described is -1 (SARIF §3.52.5).
    package func result(
        of rule: String,
        _ level: String,
        _ message: String,
        at location: JSONValue,
        fingerprint: (name: String, value: String)
    ) -> [(String, JSONValue)] {
        [("ruleId", .string(rule)), ("ruleIndex", .integer(rules.firstIndex(of: rule) ?? -1))]
            + Self.result(level, message, at: location)
            + [("partialFingerprints", .object([(fingerprint.name, .string(fingerprint.value))]))]
    }

    /// Returns the members of a result about no rule.
    package static func result(
        _ level: String,
        _ message: String,
        at location: JSONValue
    ) -> [(String, JSONValue)] {
        [("level", .string(level)), ("message", text(message)), ("locations", .array([location]))]
    }

    /// Returns a message.
    package static func text(_ text: String) -> JSONValue { .object([("text", .string(text))]) }

    /// Returns a location: the whole file if the line is not known, which is below 1; `url` is what is there.
    package static func location(_ place: Position, url: String? = nil) -> JSONValue {
        let numbers: [(String, JSONValue)] = [
            ("startLine", .integer(place.line)), ("startColumn", .integer(place.column)),
        ]
        let region = place.line > 0 ? [("region", JSONValue.object(numbers))] : []
        let physical: JSONValue = .object([("artifactLocation", artifactLocation(of: place.file))] + region)
        let logical = url.map { url -> (String, JSONValue) in
            let location: JSONValue = .object([
                ("fullyQualifiedName", .string(url)), ("kind", "resource"),
            ])
            return ("logicalLocations", .array([location]))
        }
        return .object([("physicalLocation", physical)] + (logical.map { [$0] } ?? []))
    }

    /// Returns the location of a path: relative ones are below the root of the sources (SARIF §3.4).
    private static func artifactLocation(of path: String) -> JSONValue {
        let isAbsolute = path.hasPrefix("/")
        let uri = PercentText.encode(path) { PercentText.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        return .object(
            [("uri", .string((isAbsolute ? "file://" : "") + uri))]
                + (isAbsolute ? [] : [("uriBaseId", "%SRCROOT%")])
        )
    }
}
