import CLibrary

/// The kinds of change to a file, or to the files in a folder.
public struct FileChanges: OptionSet, Sendable, Hashable {
    /// The bits of an inotify mask.
    public let rawValue: UInt32

    /// Creates a set from an inotify mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The content or the length was changed by a system call; writes through a memory mapping are not reported.
    public static let modified = FileChanges(rawValue: UInt32(IN_MODIFY))
    /// A descriptor that was open for writing was closed.
    public static let finished = FileChanges(rawValue: UInt32(IN_CLOSE_WRITE))
    /// A name was added to the folder, or replaced to name another file.
    public static let appeared = FileChanges(rawValue: UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
    /// A name was removed from the folder.
    public static let disappeared = FileChanges(rawValue: UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM))
    /// The watched file or folder itself was removed, or got another name.
    public static let gone = FileChanges(rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF))
}
