public import Fetching

extension FetchConfiguration {
    /// The profile of SJNetwork: JSON content and responses, a 20 s timeout; callbacks on the main actor; JPEGs of
    /// uploads with a compression ratio below 1 are recompressed.
    public static var sjNetwork: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.timeout = .seconds(20)
        configuration.bodyForm = .json
        configuration.serializer = JSONSerializer()
        configuration.callbacks = .main
        configuration.recompress = JPEGCodec.recompress
        return configuration
    }
}
