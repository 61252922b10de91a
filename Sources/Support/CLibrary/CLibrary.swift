// The C library of the platform, under one name: the only place that distinguishes them.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

extension UnsafeMutablePointer<dirent> {
    /// The name of the entry of a folder; bytes that are not UTF-8 are replaced.
    package var name: String {
        // Not a copy of the entry, which may have less memory than its type.
        withUnsafePointer(to: &pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }
}
