import CLibrary

/// The memory of an image's pixels, which is returned to the system with its last reference.
///
/// `malloc` keeps freed memory in an arena per thread, so a cache whose images are decoded by changing
/// threads could use twice its limit. Therefore large images have their own mappings; small ones do not,
/// because the number of mappings of a process is limited.
final class PixelMemory: @unchecked Sendable {
    // Reason: the bytes are written only before `init` returns.
    private static let smallestMapping = 64 << 10
    private let start: UnsafeMutableRawPointer
    private let isMapped: Bool
    let count: Int

    /// Allocates `count` zeroed bytes, at least 1, which `fill` writes.
    init<Failure: Error>(
        count: Int,
        _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        self.count = count
        let mapping = count < Self.smallestMapping ? nil : Self.map(count)
        isMapped = mapping != nil
        start = mapping ?? .allocate(byteCount: count, alignment: 16)
        let bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
        if !isMapped { bytes.initializeMemory(as: UInt8.self, repeating: 0) }
        try fill(bytes)
    }

    deinit {
        if isMapped { munmap(start, count) } else { start.deallocate() }
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Maps zeroed pages; returns `nil` if the system refuses.
    private static func map(_ count: Int) -> UnsafeMutableRawPointer? {
        let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return pages == MAP_FAILED ? nil : pages
    }
}
