package import OriginScript

/// The settings of a scenario's stack; `nil` uses the profile's value.
package struct StackSettings: Sendable, Hashable {
    /// The profile; `nil` uses the library's defaults.
    package var profile: StackProfile?
    /// The base of relative paths, as a path below the origin's.
    package var base: String?
    /// Parameters of every request.
    package var defaultParameters: [String: ParameterValue]?
    /// Header fields of every request.
    package var defaultFields: [FieldLine]?
    /// The application's version.
    package var version: String?
    /// Whether parameters are sent as JSON (`true`) or as a form.
    package var sendsJSON: Bool?
    /// The inactivity timeout.
    package var timeout: Duration?
    /// The largest number of concurrent exchanges.
    package var limit: Int?
    /// The retry policy for transient failures.
    package var retry: RetrySetting?
    /// Whether cookies are stored and sent.
    package var keepsCookies: Bool?
    /// Whether the debug log is written.
    package var writesLog: Bool?
    /// The settings of image loads, which cannot change after the first load.
    package var images: ImageSettings?

    /// Creates settings that use the profile's values.
    package init() {}

    /// Returns these settings, completed by `earlier`.
    package func over(_ earlier: StackSettings) -> StackSettings {
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
package struct RetrySetting: Sendable, Hashable {
    /// The largest number of retries.
    package var times: Int
    /// The delay before the first retry; it doubles with each retry.
    package var delay: Duration

    /// Creates a setting.
    package init(times: Int, delay: Duration) {
        self.times = times
        self.delay = delay
    }
}
