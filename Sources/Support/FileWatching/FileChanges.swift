#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What can happen to a file, or to the files in a folder.
public struct FileChanges: OptionSet, Sendable, Hashable {
    /// Bits of inotify's.
    public let rawValue: UInt32

    /// Creates a set of inotify's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Somebody has written, or changed the length; what is written to a mapping of the file is not told.
    public static let modified = FileChanges(rawValue: UInt32(IN_MODIFY))
    /// Somebody has closed it who had it open for writing.
    public static let finished = FileChanges(rawValue: UInt32(IN_CLOSE_WRITE))
    /// A name has come into the folder, or now stands for another file.
    public static let appeared = FileChanges(rawValue: UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
    /// A name has gone from the folder.
    public static let disappeared = FileChanges(rawValue: UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM))
}
