import CacheSemantics

extension Reuse {
    /// Whether the stored content is the caller's as it is: not coded, and not a redirect's.
    var isPlainContent: Bool { !(300..<400).contains(stored.statusCode) && !stored.isCoded }
}
