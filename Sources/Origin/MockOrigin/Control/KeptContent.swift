/// The beginning of a message's content that a journal keeps.
package struct KeptContent: Sendable, Hashable {
    /// Bytes that are kept at most.
    package static let maximumBytes = 64 << 10

    /// The first bytes of the content.
    package private(set) var bytes: [UInt8]
    /// Bytes of the whole content.
    package private(set) var count: Int

    /// Creates the beginning of a content of `count` bytes, by default one without any.
    package init(_ bytes: [UInt8] = [], count: Int = 0) {
        (self.bytes, self.count) = (bytes, max(count, bytes.count))
    }

    /// Adds the next bytes.
    package mutating func add(_ more: ArraySlice<UInt8>) {
        bytes += more.prefix(max(0, Self.maximumBytes - bytes.count))
        count += more.count
    }

    /// Removes what is kept, but not the count.
    package mutating func forget() { bytes = [] }
}
