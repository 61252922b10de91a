extension [UInt8] {
    /// Runs `body` on the bytes, which must not outlive the call; throws what it throws.
    func withBytes(_ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void) throws(StorageError) {
        let failure = withUnsafeBytes { bytes -> StorageError? in
            do throws(StorageError) {
                try body(bytes)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
