package import CacheSemantics
import LocatedYAML
import OriginScript

/// A sentence of a specification, as a scenario cites it where its level follows from more than its rules.
package struct Citation: Sendable, Hashable {
    /// Where it is: `RFC 9110 §13.1.2`.
    package var section: String
    /// The word by which it requires something.
    package var keyword: RequirementKeyword
    /// Its words, at most 25.
    package var sentence: String

    /// The largest number of words that are quoted.
    static let longestSentence = 25

    /// Creates a citation.
    package init(section: String, keyword: RequirementKeyword, sentence: String) {
        (self.section, self.keyword, self.sentence) = (section, keyword, sentence)
    }
}

extension Citation {
    /// One or a list.
    static var listReader: Reader<[Citation]> {
        Reader<Citation> { node, problems in
            guard let map = MapReader<CitationKey>(node, problems) else { return nil }
            let section = map.required(.section, .text)
            let keyword = map.required(.keyword, Reader<RequirementKeyword>.choice)
            let sentence = map.required(.sentence, shortText)
            guard let section, let keyword, let sentence else { return nil }
            return Citation(section: section, keyword: keyword, sentence: sentence)
        }.oneOrMore()
    }

    private static var shortText: Reader<String> {
        Reader.text.when(
            { (1...longestSentence).contains($0.split(separator: " ").count) },
            expected: "at most \(longestSentence) words"
        )
    }
}
