import LocatedYAML

/// The settings of a scenario's image loads; `nil` uses the profile's value.
package struct ImageSettings: Sendable, Hashable {
    /// Whether the most recent of the waiting downloads starts first.
    package var isLastInFirstOut: Bool?
    /// The largest number of concurrent downloads.
    package var concurrency: Int?
    /// Whether HTTP freshness applies to cached images.
    package var obeysHTTP: Bool?
    /// Which failures prevent further requests of a URL: `documented`, `permanent` or `never`.
    package var failures: String?
    /// The time for which they do.
    package var failureLifetime: Duration?
    /// Whether a URL that failed is rejected even if its image is cached.
    package var checksFailuresFirst: Bool?
    /// The age at which a cleaning removes a file.
    package var ageLimit: Duration?
    /// The number of bytes above which a cleaning removes files.
    package var sizeLimit: Int?
    /// The limit of the memory cache, in pixels or bytes, depending on the profile.
    package var memoryLimit: Int?
    /// The inactivity timeout.
    package var timeout: Duration?

    /// Creates settings that use the profile's values.
    package init() {}
}

extension ImageSettings {
    /// Reads a map of settings.
    static var reader: Reader<ImageSettings> {
        Reader { node, problems in
            guard let map = MapReader<ImageSettingKey>(node, problems) else { return nil }
            var settings = ImageSettings()
            let order = Reader.word(of: ["first-in-first-out", "last-in-first-out"])
            map.set(&settings.isLastInFirstOut, .order, order.map { $0 == "last-in-first-out" })
            map.set(&settings.concurrency, .concurrency, .integer(in: 1...1000))
            map.set(
                &settings.obeysHTTP,
                .freshness,
                Reader.word(of: ["ignored", "http"]).map { $0 == "http" }
            )
            map.set(&settings.failures, .failures, Reader.word(of: ["documented", "permanent", "never"]))
            map.set(&settings.failureLifetime, .failureLifetime, .duration)
            map.set(&settings.checksFailuresFirst, .failuresFirst, .bool)
            map.set(&settings.ageLimit, .ageLimit, .duration)
            map.set(&settings.sizeLimit, .sizeLimit, .size)
            map.set(&settings.memoryLimit, .memoryLimit, .size)
            map.set(&settings.timeout, .timeout, .duration)
            return settings
        }
    }
}
