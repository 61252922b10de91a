import HTTPServing
import WireSyntax

/// Sets of fields with special treatment in recordings.
enum FieldNameSets {
    /// Hop-by-hop fields (RFC 9110 §7.6.1), in lower case.
    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "http2-settings", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// Fields of requests that are for all recipients, so that `Connection` must not list them.
    private static let indispensable: Set<String> = ["authorization", "cookie", "host"]

    /// Returns the names, in lower case, of the fields that describe the connection of a message with these values of
    /// `Connection`: the hop-by-hop fields, and those that the values nominate.
    static func ofConnection(_ values: [String]) -> Set<String> {
        let options = values.flatMap { $0.split(separator: ",") }.map { $0.trimmingWhitespace.lowercased() }
        return hopByHop.union(options).subtracting(indispensable)
    }

    /// Preconditions and ranges, on which responses depend regardless of `Vary` (RFC 9110 §13.1 and §14.2).
    static let conditions = [
        FieldName.ifMatch, FieldName.ifNoneMatch, FieldName.ifModifiedSince, FieldName.ifUnmodifiedSince,
        FieldName.ifRange, FieldName.range,
    ]
}
