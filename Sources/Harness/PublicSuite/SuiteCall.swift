public import LocatedYAML

/// One request of a test as its client sends it; field values are sent as ISO-8859-1.
public struct SuiteCall: Sendable {
    /// Its number, from 1.
    public var number: Int
    /// Method.
    public var method: String
    /// Absolute path and query.
    public var target: String
    /// Field lines.
    public var fields: [(name: String, value: String)]
    /// Content; `nil` if there is none.
    public var body: [UInt8]?
    /// Whether redirects are followed.
    public var followsRedirects: Bool
    /// The cache mode of the Fetch standard; `nil` for the default.
    public var cacheMode: String?
    /// The position of the request object in its file.
    public var position: Position
}
