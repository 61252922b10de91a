extension MockServer {
    /// Returns the content of a built-in fixture, such as `images/image.jpg`; `nil` if there is none with the name.
    public static func builtInFixture(_ name: String) -> [UInt8]? { EmbeddedFixtures.bytes(named: name) }
}
