public import OriginScript

/// How the stack of a scenario is set up; what is `nil` is as the profile has it.
public struct StackSettings: Sendable, Hashable {
    /// The profile; `nil` is none: the library's own defaults.
    public var profile: StackProfile?
    /// The path below the origin's that relative paths are resolved against.
    public var base: String?
    /// Parameters of every request.
    public var defaultParameters: [String: ParameterValue]?
    /// Header fields of every request.
    public var defaultFields: [FieldLine]?
    /// The application's version.
    public var version: String?
    /// Whether parameters become JSON (`true`) or a form.
    public var sendsJSON: Bool?
    /// How long nothing may arrive.
    public var timeout: Duration?
    /// How many exchanges may be under way at once.
    public var limit: Int?
    /// How a request is sent again after a failure that may pass.
    public var retry: RetrySetting?
    /// Whether cookies are kept and sent.
    public var keepsCookies: Bool?
    /// Whether the debug log is written.
    public var writesLog: Bool?
    /// How images are loaded; fixed once one is.
    public var images: ImageSettings?

    /// Creates settings that leave everything to the profile.
    public init() {}

    /// These settings, and what they leave out as `earlier` has it.
    public func over(_ earlier: StackSettings) -> StackSettings {
        var settings = self
        settings.profile = profile ?? earlier.profile
        settings.base = base ?? earlier.base
        settings.defaultParameters = defaultParameters ?? earlier.defaultParameters
        settings.defaultFields = defaultFields ?? earlier.defaultFields
        settings.version = version ?? earlier.version
        settings.sendsJSON = sendsJSON ?? earlier.sendsJSON
        settings.timeout = timeout ?? earlier.timeout
        settings.limit = limit ?? earlier.limit
        settings.retry = retry ?? earlier.retry
        settings.keepsCookies = keepsCookies ?? earlier.keepsCookies
        settings.writesLog = writesLog ?? earlier.writesLog
        settings.images = images ?? earlier.images
        return settings
    }
}

/// How a request is sent again.
public struct RetrySetting: Sendable, Hashable {
    /// How often at most, the first time not counted.
    public var times: Int
    /// The wait before the first repetition, doubled each time.
    public var delay: Duration

    /// Creates a setting.
    public init(times: Int, delay: Duration) {
        self.times = times
        self.delay = delay
    }
}
