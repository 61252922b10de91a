#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The memory of one image's pixels, given back to the system with its last reference.
///
/// What `malloc` gets back it keeps, apart for each thread that decodes, so that a cache of images would cost twice its
/// limit once its images were decoded by other threads than those before. So large ones have pages of their own; small
/// ones have not, because a process may have so many mappings only.
final class PixelMemory: @unchecked Sendable {
    // Reason: the bytes are written only before `init` returns.
    private static let smallestMapping = 64 << 10
    private let start: UnsafeMutableRawPointer
    private let isMapped: Bool
    let count: Int

    /// Memory of `count` bytes, at least 1, that `fill` writes; they are 0 before.
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

    /// Pages of zeros; `nil` where the system gives none.
    private static func map(_ count: Int) -> UnsafeMutableRawPointer? {
        let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return pages == MAP_FAILED ? nil : pages
    }
}
