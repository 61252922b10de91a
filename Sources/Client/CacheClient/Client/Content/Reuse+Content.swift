import CacheSemantics

extension Reuse {
    /// Whether the stored content goes to the caller unchanged: not coded, and not of a redirect.
    var isPlainContent: Bool { !(300..<400).contains(stored.statusCode) && !stored.isCoded }
}
