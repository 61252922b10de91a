import HTTPServing
import OriginScript

/// The content of a 206: one range, or several as `multipart/byteranges` (RFC 9110 §14.6 and §15.3.7).
struct PartialContent {
    /// The pieces to send, in order.
    let pieces: [Content]
    private let ownFields: [ServedField]
    private let replaced: [String]

    init(_ ranges: [Range<Int>], _ representation: Representation, _ answer: Answer, _ request: ServedRequest)
    {
        let content = representation.content
        let ends = answer.violations.contains(.rangeEndExclusive)
        let parts = ranges.map {
            content.part(ends ? $0.lowerBound..<max($0.upperBound - 1, $0.lowerBound) : $0)
        }
        let places = ranges.map { Self.text($0, of: content.count, answer.violations) }
        // RFC 9110 §15.3.7: a client that sends a validator already has the metadata.
        let known = [FieldName.contentType, FieldName.contentEncoding, FieldName.contentLanguage]
        let hasCondition = request.fields.combined(FieldName.ifRange) != nil
        if ranges.count == 1 {
            let isSilent = answer.violations.contains(.partialWithoutContentRange)
            pieces = parts
            ownFields = isSilent ? [] : [ServedField(FieldName.contentRange, places[0])]
            replaced = hasCondition ? known : []
        } else {
            let type = Self.type(answer, representation)
            let boundary = Self.boundary(places)
            pieces = Self.multipart(parts, places, type, boundary)
            ownFields = [ServedField(FieldName.contentType, "multipart/byteranges; boundary=\(boundary)")]
            replaced = [FieldName.contentType] + (hasCondition ? known : [])
        }
    }

    /// Returns the fields of the 206 from those of a 200.
    func fields(from fields: [ServedField]) -> [ServedField] {
        fields.filter { field in !replaced.contains { $0.isSameFieldName(as: field.name) } } + ownFields
    }

    private static func text(_ range: Range<Int>, of count: Int, _ violations: Set<Violation>) -> String {
        let shift = violations.contains(.wrongContentRange) ? 1 : 0
        let complete = violations.contains(.wrongCompleteLength) ? count + 1 : count
        return "bytes \(range.lowerBound + shift)-\(max(range.upperBound - 1, 0) + shift)/\(complete)"
    }

    private static func type(_ answer: Answer, _ representation: Representation) -> String? {
        let scripted = answer.fields.first { $0.name.isSameFieldName(as: FieldName.contentType) }
        if case .text(let type) = scripted?.value { return type }
        return representation.fields.combined(FieldName.contentType)
    }

    /// Returns a boundary that is always the same for the same ranges, and unlikely to occur in the content.
    private static func boundary(_ places: [String]) -> String {
        "part-" + HexDigest.md5(Array(places.joined(separator: ",").utf8))
    }

    private static func multipart(
        _ parts: [Content],
        _ places: [String],
        _ type: String?,
        _ boundary: String
    ) -> [Content] {
        var pieces: [Content] = []
        for (index, part) in parts.enumerated() {
            let typeLine = type.map { "\(FieldName.contentType): \($0)\r\n" } ?? ""
            let begin = index == 0 ? "" : "\r\n"
            let head =
                "\(begin)--\(boundary)\r\n\(typeLine)\(FieldName.contentRange): \(places[index])\r\n\r\n"
            pieces += [Content(Array(head.utf8)), part]
        }
        return pieces + [Content(Array("\r\n--\(boundary)--\r\n".utf8))]
    }
}
