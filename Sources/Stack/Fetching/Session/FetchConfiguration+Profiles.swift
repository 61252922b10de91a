extension FetchConfiguration {
    /// As the documents' SQFetchManager: forms, JSON decoded, at most six exchanges at once.
    ///
    /// Images are decoded by the serializer of the image library. What its code loses is kept: errors reach the
    /// caller, and no type is taken for nothing.
    public static var sqFetch: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.bodyForm = .form
        configuration.serializer = JSONSerializer(otherTypes: [])
        configuration.maximumInFlight = 6
        return configuration
    }

    /// As AFNetworking: forms, 60 s, JSON, then XML; callbacks on the main actor.
    public static var afNetworking: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.serializer = CompoundSerializer([JSONSerializer(), XMLSerializer()])
        configuration.callbacks = .main
        return configuration
    }

    /// As SJNetwork: JSON in both directions, 20 s; callbacks on the main actor.
    public static var sjNetwork: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.timeout = .seconds(20)
        configuration.bodyForm = .json
        configuration.serializer = JSONSerializer()
        configuration.callbacks = .main
        return configuration
    }
}
