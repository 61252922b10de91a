import LocatedYAML

/// How the images of a scenario are loaded; what is `nil` is as the profile has it.
public struct ImageSettings: Sendable, Hashable {
    /// Whether of the waiting downloads the latest begins first.
    public var isLastInFirstOut: Bool?
    /// How many downloads run at once.
    public var concurrency: Int?
    /// Whether HTTP decides how long a cached image is shown.
    public var obeysHTTP: Bool?
    /// Which failures keep a URL from being asked again: `documented`, `permanent` or `never`.
    public var failures: String?
    /// For how long.
    public var failureLifetime: Duration?
    /// Whether a URL that failed is refused even where its image is cached.
    public var checksFailuresFirst: Bool?
    /// After which time a cleaning removes a file.
    public var ageLimit: Duration?
    /// Bytes above which a cleaning removes files.
    public var sizeLimit: Int?
    /// The limit of the memory cache, in pixels or bytes as the profile counts.
    public var memoryLimit: Int?
    /// How long nothing may arrive.
    public var timeout: Duration?

    /// Creates settings that leave everything to the profile.
    public init() {}
}

extension ImageSettings {
    /// A map of settings.
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
