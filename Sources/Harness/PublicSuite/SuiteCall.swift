public import LocatedYAML

/// One request of a test as its client makes it; field values are to be sent as ISO-8859-1.
public struct SuiteCall: Sendable {
    /// Its number, from 1.
    public var number: Int
    /// Method.
    public var method: String
    /// Absolute path and query.
    public var target: String
    /// Field lines.
    public var fields: [(name: String, value: String)]
    /// Content; `nil` for none.
    public var body: [UInt8]?
    /// Whether redirects are followed.
    public var followsRedirects: Bool
    /// The cache mode of the Fetch standard; `nil` for the default.
    public var cacheMode: String?
    /// Where it stands.
    public var position: Position
}
