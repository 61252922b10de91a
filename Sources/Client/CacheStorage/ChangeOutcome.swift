/// What became of an invalidation or a removal.
public enum ChangeOutcome: Sendable, Hashable {
    /// No store on the folder finds it any more as it was, now or after the death of a process.
    ///
    /// Tells under how many keys this store knew something that was concerned. Where the disk tier could not be written,
    /// its database was removed: then everything that was stored is gone.
    case done(keys: Int)
    /// This store does not find it any more, but the folder may still have it: it could neither be written nor removed.
    case failed(StorageError)

    /// Why the folder may still have it; `nil` where it does not.
    public var failure: StorageError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// Under how many keys this store knew something that was concerned; zero where the change has failed.
    public var keys: Int {
        if case .done(let keys) = self { keys } else { 0 }
    }
}
