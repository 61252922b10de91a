import CLibrary

/// The descriptors of this process.
package enum OpenFiles {
    /// Returns the open descriptors with the paths of their files, or with the kinds of what is no file, such as
    /// `anon_inode:inotify`.
    ///
    /// Other tests open and close descriptors at the same time.
    package static func all() -> [(descriptor: CInt, path: String)] {
        TestFolder.names(in: "/proc/self/fd").compactMap { CInt($0) }.compactMap { descriptor in
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
            guard length >= 0 else { return nil }
            let bytes = target.prefix(length).map { UInt8(bitPattern: $0) }
            return (descriptor, String(decoding: bytes, as: UTF8.self))
        }
    }
}
