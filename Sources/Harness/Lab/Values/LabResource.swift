import HTTPTypes
import LocatedYAML

/// The settings of the lab's one resource: a response without its content.
package struct LabResource: Sendable, Hashable, CustomStringConvertible {
    /// Field lines in the order in which they are sent.
    package var fields: [LabField] = []
    /// Whether responses have an entity tag, which changes with the content; default false.
    package var hasEntityTag = false
    /// The time before the beginning at which the content was last modified; `nil`, the default, for no `Last-Modified`.
    package var modifiedBefore: Duration?
    /// Whether ranges are supported; default false.
    package var offersRanges = false

    /// Creates a resource without fields and validators.
    package init() {}

    /// Parses settings that are separated by `|`: `etag`, `last-modified AGE`, `ranges` and field lines.
    package init(_ text: String) throws(LabProblem) {
        for part in text.piped {
            let words = part.split(separator: " ")
            switch words[0] {
            case "etag" where words.count == 1: hasEntityTag = true
            case "ranges" where words.count == 1: offersRanges = true
            case "last-modified" where words.count == 2:
                guard let age = Quantity.duration(words[1]) else {
                    throw LabProblem(found: "the age \"\(words[1])\"", expected: "a duration such as 10d")
                }
                modifiedBefore = age
            default: fields.append(try Self.field(part))
            }
        }
    }

    /// The settings as text, which `init(_:)` parses.
    package var description: String {
        var parts: [String] = []
        if hasEntityTag { parts.append("etag") }
        if let modifiedBefore { parts.append("last-modified \(LabAction.text(of: modifiedBefore))") }
        if offersRanges { parts.append("ranges") }
        return (parts + fields.map(\.description)).joined(separator: " | ")
    }

    private static func field(_ text: String) throws(LabProblem) -> LabField {
        do throws(LabProblem) {
            let field = try LabField(text)
            guard !reserved.contains(field.name) else {
                throw LabProblem(found: field.name.rawName, expected: reservedHint)
            }
            return field
        } catch {
            guard error.expected != reservedHint else { throw error }
            let expected = "etag, ranges, last-modified AGE or a field line such as Cache-Control: max-age=60"
            throw LabProblem(found: error.found, expected: expected)
        }
    }

    /// The origin writes these itself; others would make its messages malformed.
    private static let reserved: [HTTPField.Name] = [
        .contentLength, .transferEncoding, .connection, .eTag, .lastModified, .contentType, .trailer,
        .upgrade,
    ]
    private static let reservedHint =
        "a field that the origin does not write itself (etag and last-modified are settings of their own)"
}
