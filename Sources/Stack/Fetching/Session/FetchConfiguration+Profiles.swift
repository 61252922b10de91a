extension FetchConfiguration {
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
