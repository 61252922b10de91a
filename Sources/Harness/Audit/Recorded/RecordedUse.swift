package import LocatedYAML

/// Whether one recorded use of a cache, or of the network, was right.
package struct RecordedUse: Sendable {
    /// A statement about a use.
    package enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// A cache has answered, and might.
        case permitted
        /// A cache has answered, but must not.
        case forbidden
        /// A cache has answered, and the archive does not show whether it was allowed to.
        case unknown
        /// The network was needed.
        case needed
        /// The network was not needed, or not for all that was transferred.
        case avoidable
    }
    /// The number of the entry in the archive, from 1.
    package var entry: Int
    /// The URL of the request.
    package var url: String
    /// The place of the entry.
    package var position: Position
    /// Where the response came from.
    package var source: RecordedSource
    /// The verdict on the use.
    package var verdict: Verdict
    /// One sentence without the full stop: why.
    package var reason: String
    /// The specification and section.
    package var section: String
    /// The number of the entry whose response was, or could have been, used; `nil` if none in the archive.
    package var stored: Int?
    /// The bytes of content that need not have been transferred.
    package var avoidableBytes = 0

    /// One line.
    package var line: String {
        let place = stored.map { ", stored by entry \($0)" } ?? ""
        return "entry \(entry) \(source.text)\(place): \(verdict.rawValue), \(reason)  (\(section))"
    }
}
