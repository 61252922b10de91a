package import CLibrary

/// Identifies a state of a file without reading it.
package struct FileVersion: Hashable, Sendable {
    /// The length in bytes.
    package let size: Int
    /// The time of modification, in whole seconds since 1970.
    package let modifiedSeconds: Int64
    private let modifiedNanoseconds: Int64
    private let device: UInt64
    /// The number in its file system.
    package let node: UInt64
    /// Of the last change of content or status, which no program can set: tools that copy files set the time of modification.
    private let changedSeconds: Int64
    private let changedNanoseconds: Int64

    /// Reads the state from a file's status.
    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
        size = Int(status.st_size)
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = Int64(status.st_ctim.tv_nsec)
    }

    /// Reads the state of the file at a path, by links; `nil` if there is none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
