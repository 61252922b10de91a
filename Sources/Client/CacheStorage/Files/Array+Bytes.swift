extension [UInt8] {
    /// Calls `body` with the bytes, which must not outlive the call; throws what `body` throws.
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
