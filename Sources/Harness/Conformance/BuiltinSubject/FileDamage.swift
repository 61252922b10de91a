import CLibrary

/// Damage like that of a failing disk: the file keeps its name and size, but some of its bytes change.
enum FileDamage {
    /// Overwrites 16 of every 256 bytes of the file, so that neither a header nor small content stays intact.
    static func overwrite(_ path: String) throws(SubjectError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SubjectError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let noise = [UInt8](repeating: 0xA5, count: 16)
        let size = Int(lseek(descriptor, 0, SEEK_END))
        for offset in stride(from: min(128, max(0, size - 16)), to: size, by: 256) {
            _ = pwrite(descriptor, noise, min(16, size - offset), off_t(offset))
        }
    }
}
