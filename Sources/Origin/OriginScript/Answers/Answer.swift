/// A scripted response, shared by scenarios, site files and queries.
public struct Answer: Sendable, Hashable {
    /// Status code, 100–999; default 200.
    public var status = 200
    /// Reason phrase; `nil` is the standard one.
    public var reason: String?
    /// Field lines in the order they are sent.
    public var fields: [FieldLine] = []
    /// The origin's own `Date`; default the present.
    public var date = DateLine.now
    /// The content before any coding; default empty.
    public var body = BodySource.text("")
    /// The entity tag; default none.
    public var entityTag: EntityTagSource?
    /// The modification time; default none.
    public var lastModified: LastModified?
    /// Whether preconditions are evaluated (RFC 9110 §13); default true.
    public var evaluatesPreconditions = true
    /// Content coding; default none.
    public var gzip = GzipMode.never
    /// The effect of the content coding on a literal strong entity tag; default a suffix.
    public var codedTag = CodedTag.suffixed
    /// Whether `Range` is supported (RFC 9110 §14); default no.
    public var ranges = RangeSupport.ignored
    /// Changes by time or number of requests; default none.
    public var changes = Changes()
    /// Protocol violations; default none.
    public var violations: Set<Violation> = []
    /// Whether the media type follows from the file name extension; default false.
    public var typesByName = false
    /// The way to mark the end of the content; default by length, or by chunks if `chunks` is not empty.
    public var framing = Framing.length
    /// Sizes in bytes of the chunks in which the content is sent; empty, the default, is one piece.
    ///
    /// Unless it is empty, the response has `Transfer-Encoding: chunked` in place of `Content-Length`.
    public var chunks: [Int] = []
    /// Time before the head is sent.
    public var delay = Duration.zero
    /// Time before each piece of the content.
    public var chunkDelay = Duration.zero
    /// Bytes per second of the content; `nil` is unlimited.
    public var rate: Int?
    /// Where the response is held until a release; default nowhere.
    public var hold: HoldPoint?
    /// Faults in order; default none.
    public var faults: [Fault] = []
    /// 1xx responses sent before, in order.
    public var interim: [InterimAnswer] = []
    /// Changes to the upstream's response, which is sent instead of this one; `nil`, the default, sends this one.
    ///
    /// Of the other properties, only `faults` then have an effect.
    public var passing: Passing?

    /// Creates an answer of 200 with no content.
    public init() {}
}

/// One field line.
public struct FieldLine: Sendable, Hashable {
    /// Name as it is sent.
    public var name: String
    /// Value.
    public var value: FieldValue

    /// Creates a field line.
    public init(_ name: String, _ value: FieldValue) {
        self.name = name
        self.value = value
    }
}

/// A field value, known when it is sent.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FieldValue: Sendable, Hashable {
    /// Text, in which `${base}`, `${other}` and `${now}` are replaced.
    case text(String)
    /// A date, as an offset from the origin's present.
    case date(offset: Duration, form: DateForm)
    /// A date, as an offset from the start of the script.
    case fixedDate(offset: Duration, form: DateForm)
}

/// The three date forms of RFC 9110 §5.6.7.
public enum DateForm: String, Sendable, Hashable, CaseIterable {
    /// IMF-fixdate, the one to send.
    case imf
    /// RFC 850, obsolete.
    case rfc850
    /// ANSI C's asctime, obsolete.
    case asctime
}

/// The origin's `Date` field.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum DateLine: Sendable, Hashable {
    /// The origin's current time.
    case now
    /// No `Date`.
    case none
    /// An offset from the present.
    case offset(Duration)
    /// As it stands.
    case text(String)
}

/// Where content comes from.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BodySource: Sendable, Hashable {
    /// UTF-8 text.
    case text(String)
    /// This many bytes of a repeatable pattern.
    case generated(size: Int)
    /// Bytes.
    case bytes([UInt8])
    /// A file of the fixture folder.
    case file(String)
    /// The file of this folder, below the fixture folder and empty for that itself, that the request's path names.
    case folder(String)
    /// A text with values of the request.
    case template(Template)
    /// A file of the fixture folder that is a template.
    case templateFile(String)
}

/// The entity tag.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum EntityTagSource: Sendable, Hashable {
    /// The field value as it is sent.
    case literal(String)
    /// The quoted MD5 of the content.
    case md5
    /// A quoted tag from a file's place, size and modification time, without reading it.
    case file
}

/// An effect of the content coding on a literal strong entity tag (RFC 9110 §8.8.3.3).
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum CodedTag: String, Sendable, Hashable, CaseIterable {
    /// Its opaque part ends in `-gzip`.
    case suffixed = "suffix"
    /// It becomes weak, with and without coding.
    case weak
    /// It stays, which is wrong for a strong one.
    case same
}

/// Support of `Range`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RangeSupport: String, Sendable, Hashable, CaseIterable {
    /// Ignored, without `Accept-Ranges`.
    case ignored = "false"
    /// Supported, with `Accept-Ranges: bytes`.
    case offered = "true"
    /// Supported for a single range; several get the whole content.
    case single
    /// Ignored, with `Accept-Ranges: none`.
    case refused = "refuse"
}

/// The modification time.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum LastModified: Sendable, Hashable {
    /// An offset from the start of the script.
    case offset(Duration)
    /// The field value as it is sent.
    case text(String)
    /// The file's.
    case file
}

/// When content is coded with gzip.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum GzipMode: String, Sendable, Hashable, CaseIterable {
    /// Never.
    case never
    /// Where `Accept-Encoding` allows it; adds `Vary: Accept-Encoding`.
    case offered
    /// Regardless of `Accept-Encoding`.
    case always
}

/// A way to mark the end of the content.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Framing: String, Sendable, Hashable, CaseIterable {
    /// `Content-Length`.
    case length
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// The connection's end.
    case close
}

/// Where a response is held.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum HoldPoint: String, Sendable, Hashable, CaseIterable {
    /// Before the head.
    case head
    /// After the head, before the content.
    case body
}

/// A 1xx response.
public struct InterimAnswer: Sendable, Hashable {
    /// Status code, 100–199.
    public var status: Int
    /// Field lines.
    public var fields: [FieldLine]

    /// Creates an interim answer.
    public init(status: Int, fields: [FieldLine] = []) {
        self.status = status
        self.fields = fields
    }
}
