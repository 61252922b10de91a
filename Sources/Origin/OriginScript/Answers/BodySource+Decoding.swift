import JSON
package import LocatedYAML
import TextCodings

/// The keys of content that is not written as text.
package enum BodyKey: String, MapKey {
    case size, json, base64, file, folder, template
    case templateFile = "template-file"
    package static let mapName = "a body"
}

extension BodySource {
    /// The largest content that is generated: 1 GiB.
    public static let largestGenerated = 1 << 30

    /// Text, or a map with one of `size`, `json`, `base64` and `file`.
    package static var reader: Reader<BodySource> {
        Reader { node, problems in
            guard node.pairs != nil else {
                let expected =
                    "text, or a map with one of size, json, base64, file, folder, template, template-file"
                return Reader(expected: expected) { .text($0.text) }.read(node, problems)
            }
            return decodeMap(node, problems)
        }
    }

    private static func decodeMap(_ node: YAMLNode, _ problems: ProblemCollector) -> BodySource? {
        guard let map = MapReader<BodyKey>(node, problems) else { return nil }
        guard map.keys.count == 1, let key = map.keys.first else {
            problems.add(
                at: map.position,
                found: "\(map.keys.count) kinds of body",
                expected: "one of size, json, base64, file, folder, template, template-file"
            )
            return nil
        }
        switch key {
        case .size:
            let size = Reader.size.when({ $0 <= largestGenerated }, expected: "at most 1GiB")
            return map.optional(.size, size).map { .generated(size: $0) }
        case .json: return map[.json].map { .text(JSONValue($0).written()) }
        case .base64:
            return map.optional(
                .base64,
                Reader(expected: "base64") { Base64.decode($0.text, skippingBlanks: true) }
            ).map {
                .bytes($0)
            }
        case .file: return map.optional(.file, fixtureName).map { .file($0) }
        case .templateFile: return map.optional(.templateFile, fixtureName).map { .templateFile($0) }
        case .template: return map.optional(.template, templateText).map { .template($0) }
        case .folder:
            if map[.folder]?.scalarText == "." { return .folder("") }
            return map.optional(.folder, fixtureName).map { .folder($0) }
        }
    }

    private static var templateText: Reader<Template> {
        let expected = "only the variables of templates, such as ${path.id}, ${query.name} and ${now}"
        return Reader(expected: expected) { Template($0.text) }
    }

    /// A relative path that stays below the fixture folder.
    private static var fixtureName: Reader<String> {
        Reader(expected: "a file of the fixture folder, as a relative path without \"..\"") { scalar in
            guard let parts = PathText.segmentsBelow(scalar.text) else { return nil }
            return parts.contains { $0.isEmpty || $0 == "." } ? nil : scalar.text
        }
    }
}
