extension FetchConfiguration {
    /// The profile of the documents' SQFetchManager: form content, JSON responses, at most six concurrent
    /// exchanges.
    ///
    /// Images are decoded by the serializer of the image library. Unlike SQFetchManager's code, it reports
    /// errors to the caller and rejects media types that it does not know.
    public static var sqFetch: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.bodyForm = .form
        configuration.serializer = JSONSerializer(otherTypes: [])
        configuration.maximumInFlight = 6
        return configuration
    }

    /// The profile of AFNetworking: form content, a 60 s timeout, JSON, then XML; callbacks on the main
    /// actor.
    public static var afNetworking: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.serializer = CompoundSerializer([JSONSerializer(), XMLSerializer()])
        configuration.callbacks = .main
        return configuration
    }

    /// The profile of SJNetwork: JSON content and responses, a 20 s timeout; callbacks on the main actor.
    public static var sjNetwork: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.timeout = .seconds(20)
        configuration.bodyForm = .json
        configuration.serializer = JSONSerializer()
        configuration.callbacks = .main
        return configuration
    }
}
