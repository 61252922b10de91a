import CLibrary

/// The events of one read from inotify.
struct FileEvents {
    /// The changes by watch.
    private(set) var changes: [CInt: FileChanges] = [:]
    /// Whether events were lost because the queue overflowed.
    private(set) var hasGap = false
    /// The watches that the system has removed.
    private(set) var ended: [CInt] = []

    /// Reads complete `inotify_event` records.
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

    /// Whether a listener for `wanted` on a watch has to be notified.
    func concerns(_ watch: CInt, _ wanted: FileChanges) -> Bool {
        hasGap || changes[watch].map { !$0.isDisjoint(with: wanted) } ?? false
    }
}
