/// Text files as constants of one enumeration, each named after its file: `page.html` is `EmbeddedFiles.page_html`.
struct TextConstants {
    private var constants: [String] = []

    init(paths: [String]) throws(GenerationError) {
        for path in paths { constants.append(try Self.constant(path)) }
    }

    /// The Swift source of the enumeration.
    var source: String { "enum EmbeddedFiles {\n\(constants.joined(separator: "\n"))\n}\n" }

    private static func constant(_ path: String) throws(GenerationError) -> String {
        guard let text = String(validating: try InputFile.read(path), as: UTF8.self) else {
            throw GenerationError("\(path) is not UTF-8")
        }
        let name = (path.split(separator: "/").last ?? "").map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return "static let \(String(name)) = \(literal(text))"
    }

    /// Returns a raw literal whose delimiter does not occur in the text.
    private static func literal(_ text: String) -> String {
        var mark = "#"
        while text.contains("\"\"\"\(mark)") || text.contains("\\\(mark)") { mark += "#" }
        return "\(mark)\"\"\"\n\(text)\n\"\"\"\(mark)"
    }
}
