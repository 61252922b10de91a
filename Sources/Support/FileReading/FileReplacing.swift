import CLibrary

extension FileAccess {
    /// Writes a file as a whole: until everything is written, and if it cannot be, the file that was there stays.
    ///
    /// What is no plain file, such as a pipe, is written to directly; a link stays a link.
    package static func replace(_ path: String, with bytes: [UInt8]) -> Result<Void, Failure> {
        let target = realPath(path) ?? path
        var status = stat()
        let exists = stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG { return write(bytes, to: target) }
        let aside = "\(target).\(getpid()).new"
        guard case .failure(let failure) = write(bytes, to: aside) else {
            if exists { chmod(aside, status.st_mode & 0o7777) }
            if rename(aside, target) == 0 { return .success(()) }
            defer { unlink(aside) }
            return .failure(.ofSystem)
        }
        unlink(aside)
        return .failure(failure)
    }

    /// Returns why `replace` could not write a file now; `nil` if it could.
    package static func obstacle(toReplacing path: String) -> Failure? {
        let target = realPath(path) ?? path
        var status = stat()
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            return status.st_mode & S_IFMT == S_IFDIR ? Failure(reason: "it is a folder") : nil
        }
        let aside = "\(target).\(getpid()).new"
        defer { unlink(aside) }
        if case .failure(let failure) = write([], to: aside) { return failure }
        return nil
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Result<Void, Failure> {
        guard let file = fopen(path, "we") else { return .failure(.ofSystem) }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let reason = Failure.ofSystem
        guard fclose(file) == 0 else { return .failure(.ofSystem) }
        return isWritten ? .success(()) : .failure(reason)
    }
}
