import CacheSemantics
import HTTPTypes
import MarkupParsing

extension Probe {
    /// Languages (RFC 9110 §12.5.4); the first request accepts any.
    static let languages: [Probe] = [
        Probe(
            name: "language",
            rules: ["language-without-vary"],
            skip: { context in
                if !context.isShared { return "no shared cache stores the response" }
                if nominates(context.first, .acceptLanguage) { return "Vary has Accept-Language" }
                return context.first.language == nil ? "the response names no language" : nil
            },
            request: { separated($0, [.acceptLanguage: others(than: $0.first.language)], "language") },
            judge: { context, answer in
                guard answer.status == 200 else { return .unknown("the answer has status \(answer.status)") }
                guard let one = context.first.language, let other = answer.language, one != other
                else { return .satisfied }
                return .violates(
                    "language-without-vary",
                    "Accept-Language chooses between the languages \(one) and \(other), but there is no Vary: "
                        + "Accept-Language, so that caches send one of them to all"
                )
            }
        )
    ]

    /// Returns the languages of most sites except one, those of more sites first.
    private static func others(than language: String?) -> String {
        ["en", "de", "fr", "es", "ja", "pt", "it", "zh", "ru"].filter { $0 != language }.enumerated()
            .map { index, name in index == 0 ? name : "\(name);q=0.\(10 - index)" }
            .joined(separator: ", ")
    }
}

extension AuditedExchange {
    /// The language in Content-Language or, without that, of the element `html`.
    var namedLanguage: String? {
        let members = ListField.members(of: fields[values: .contentLanguage])
        var tag = members.count == 1 ? members[0] : ""
        if members.isEmpty, isPage, let content = readableContent {
            MarkupParser.visitElements(ofHTML: Array(content.prefix(1 << 16))) { name, attributes in
                if name == "html", tag.isEmpty { tag = attributes["lang"] ?? "" }
            }
        }
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return primary.isEmpty ? nil : primary
    }
}
