import Foundation

/// A rule of the documents that can be violated.
struct DocumentRule: Sendable {
    let id: String
    let sentence: String

    /// Reads the rules of the data file, without advice and what nothing can violate.
    static func all(in text: String) -> [DocumentRule] {
        text.components(separatedBy: "\n  - id: ").dropFirst().compactMap { entry in
            let lines = entry.split(separator: "\n").map { $0.drop { $0 == " " } }
            guard let id = lines.first,
                !lines.contains("verdict: advice"),
                !lines.contains(where: { $0.hasPrefix("unviolable:") })
            else { return nil }
            let sentence = lines.first { $0.hasPrefix("sentence: ") }?.dropFirst("sentence: ".count) ?? ""
            return DocumentRule(id: String(id), sentence: String(sentence))
        }
    }

    /// The folders of the source that implement the rule's system, the most likely one first; a change elsewhere may make a
    /// check of the rule fail, but violates another rule.
    var folders: [String] {
        let own = Self.systems.first { id.hasPrefix($0.prefix) }?.folders
        return own ?? ["Sources/Client/", "Sources/Stack/"]
    }

    private static let systems: [(prefix: String, folders: [String])] = [
        ("mockserver.", ["Sources/Origin/"]),
        ("afnetworking.image-", images), ("sqfetch.imageslot.", images), ("af2.", images),
        ("sdwebimage.", images), ("nscache.", images),
        ("afexample.", fetching), ("afnetworking.", fetching), ("sjnetwork.", fetching),
        ("sqfetch.", fetching), ("ytknetwork.", fetching),
    ]
    private static let images = ["Sources/Stack/ImageLoading/", "Sources/Stack/", "Sources/Client/"]
    private static let fetching = ["Sources/Stack/Fetching/", "Sources/Stack/", "Sources/Client/"]

    /// The stems of the words of the id and the sentence.
    var words: Set<Substring> { stems(in: "\(id) \(sentence)") }
}

/// Returns the beginnings of the words of a text, so that "removes" and "removal" are the same; short words are left out.
func stems(in text: String) -> Set<Substring> {
    let lowercase = text.reduce(into: "") { result, character in
        // The words of camel case.
        if character.isUppercase { result.append(" ") }
        result.append(character.lowercased())
    }
    return Set(lowercase.split { !$0.isLetter }.filter { $0.count >= 4 }.map { $0.prefix(5) })
}
