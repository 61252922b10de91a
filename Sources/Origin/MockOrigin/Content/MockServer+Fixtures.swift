extension MockServer {
    /// The content of a fixture that is built in, such as `images/image.jpg`; `nil` where there is none of the name.
    public static func builtInFixture(_ name: String) -> [UInt8]? { EmbeddedFixtures.bytes(named: name) }
}
