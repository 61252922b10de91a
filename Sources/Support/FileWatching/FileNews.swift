#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What one reading from inotify has told.
struct FileNews {
    /// By watch.
    private(set) var changes: [CInt: FileChanges] = [:]
    /// Whether some of it was lost, because nobody read in time.
    private(set) var hasGap = false
    /// The watches that are no more.
    private(set) var ended: [CInt] = []

    /// Reads whole records of inotify's.
    init(_ bytes: UnsafeRawBufferPointer) {
        let header = MemoryLayout<inotify_event>.size
        var position = 0
        while position + header <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
            note(event.wd, event.mask)
            position += header + Int(event.len)
        }
    }

    private mutating func note(_ watch: CInt, _ mask: UInt32) {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { hasGap = true }
        if mask & UInt32(IN_IGNORED) != 0 { ended.append(watch) }
        changes[watch, default: []].formUnion(FileChanges(rawValue: mask))
    }

    /// Whether somebody who waits for `wanted` of a watch is to be told.
    func isAbout(_ watch: CInt, _ wanted: FileChanges) -> Bool {
        hasGap || changes[watch].map { !$0.isDisjoint(with: wanted) } ?? false
    }
}
