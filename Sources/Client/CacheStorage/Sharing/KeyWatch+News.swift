import CacheSemantics
import Locks

extension KeyWatches {
    /// Records the changes that other stores made to the folder.
    func note(_ news: ExternalChanges) {
        guard !isEmpty else { return }
        guard !news.isComplete else { return note(isCleared: true) { _ in true } }
        for change in news.changes { note(change) }
        for record in news.records { note(record.digest) }
    }

    private func note(_ change: StorageChange) {
        switch change.kind {
        case .evicted: break
        case .removed, .freshened, .replaced: note(change.digest)
        case .invalidated:
            note { $0.digest == change.digest }
            if change.label != 0 { note(label: change.label) }
            if change.searchLabel != nil { note(search: change.text) }
        case .cleared, .removedSince: note(isCleared: true) { _ in true }
        case .removedKey:
            note(isCleared: true) {
                $0.digest == change.digest
                    || change.label != 0 && StoreLabel.target($0.normalizedTargetURI) == change.label
            }
            if change.searchLabel != nil { note(search: change.text) }
        case .removedLabel: note(label: change.label)
        case .removedPrefix:
            note(isCleared: true) { $0.begins(with: change.text) }
        case .removedOrigin:
            note(isCleared: true) {
                StoreState.digest(origin: StoredResponse.origin(of: $0.targetURI)) == change.digest
            }
        }
    }

    /// Records an invalidation by a label, which may be that of a target URI or that of a group.
    private func note(label: UInt64) {
        note { StoreLabel.target($0.normalizedTargetURI) == label }
        note(groups: [label]) { StoreLabel.target($0.normalizedTargetURI) != label }
    }
}
