public import CacheSemantics
public import HTTPTypes

/// One request as its caller makes it.
public struct SubjectRequest: Sendable {
    /// Method.
    public var method: String
    /// Absolute URL.
    public var url: String
    /// Field lines.
    public var fields: [(name: String, value: String)]
    /// Content; `nil` if there is none.
    public var body: [UInt8]?
    /// `nil` for the subject's default.
    public var policy: RequestCachePolicy?
    /// `nil` for the subject's default.
    public var timeout: Duration?
    /// Whether redirects are followed, by a subject that can also leave them to its caller; default true.
    public var followsRedirects = true
    /// Whether it is one of several concurrent requests of a step, none of which may wait for another; default false.
    var isConcurrent = false

    /// Creates a request.
    public init(
        method: String,
        url: String,
        fields: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// The field lines as fields of HTTPTypes, whose values are bytes; names that HTTP does not allow are left out.
    public var headerFields: HTTPFields {
        get { HTTPFields(latin1Lines: fields) }
        set { fields = newValue.latin1Lines }
    }
}
