import LocatedYAML

/// The keys of an answer, in the order in which they are read: later ones may depend on earlier ones.
package enum AnswerKey: String, MapKey {
    case status, reason, fields
    case cacheControl = "cache-control"
    case vary, expires
    case contentType = "content-type"
    case cookies, redirect, date, body, etag
    case lastModified = "last-modified"
    case conditional, gzip, ranges, changes, violations, chunks, framing, delay
    case chunkDelay = "chunk-delay"
    case rate, hold, fail, faults, interim
    package static let mapName = "an answer"
}
