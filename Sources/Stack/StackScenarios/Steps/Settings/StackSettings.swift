public import OriginScript

/// The settings of a scenario's stack; `nil` uses the profile's value.
public struct StackSettings: Sendable, Hashable {
    /// The profile; `nil` uses the library's defaults.
    public var profile: StackProfile?
    /// The base of relative paths, as a path below the origin's.
    public var base: String?
    /// Parameters of every request.
    public var defaultParameters: [String: ParameterValue]?
    /// Header fields of every request.
    public var defaultFields: [FieldLine]?
    /// The application's version.
    public var version: String?
    /// Whether parameters are sent as JSON (`true`) or as a form.
    public var sendsJSON: Bool?
    /// The inactivity timeout.
    public var timeout: Duration?
    /// The largest number of concurrent exchanges.
    public var limit: Int?
    /// The retry policy for transient failures.
    public var retry: RetrySetting?
    /// Whether cookies are stored and sent.
    public var keepsCookies: Bool?
    /// Whether the debug log is written.
    public var writesLog: Bool?
    /// The settings of image loads, which cannot change after the first load.
    public var images: ImageSettings?

    /// Creates settings that use the profile's values.
    public init() {}

    /// Returns these settings, completed by `earlier`.
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

/// A retry policy.
public struct RetrySetting: Sendable, Hashable {
    /// The largest number of retries.
    public var times: Int
    /// The delay before the first retry; it doubles with each retry.
    public var delay: Duration

    /// Creates a setting.
    public init(times: Int, delay: Duration) {
        self.times = times
        self.delay = delay
    }
}
