extension FetchConfiguration {
    /// The profile of AFNetworking: form content, a 60 s timeout, JSON, then XML; callbacks on the main
    /// actor.
    public static var afNetworking: FetchConfiguration {
        var configuration = FetchConfiguration()
        configuration.serializer = CompoundSerializer([JSONSerializer(), XMLSerializer()])
        configuration.callbacks = .main
        return configuration
    }
}
