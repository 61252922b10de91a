/// The outcome of an invalidation or a removal.
public enum ChangeOutcome: Sendable, Hashable {
    /// No store on the folder can find the previous state, now or after a process has died.
    ///
    /// `keys` is the number of affected keys known to this store. If the disk tier could not be written, its database
    /// was removed, and with it everything stored.
    case done(keys: Int)
    /// This store no longer finds it, but the folder may still contain it: it could neither be written nor
    /// removed.
    case failed(StorageError)

    /// The reason why the folder may still contain it; `nil` if it does not.
    public var failure: StorageError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// The number of affected keys known to this store; zero if the change has failed.
    public var keys: Int {
        if case .done(let keys) = self { keys } else { 0 }
    }
}
