import Locks

/// The origin's version of each path, and the oldest version that may still be used.
final class VersionLedger: Sendable {
    private struct Versions {
        var newest = 1
        /// The version that was current when the last acknowledged invalidation or purge began.
        var oldest = 1
    }
    private let state = Lock<[String: Versions]>([:])

    /// Returns the newest version of a path.
    func newest(of path: String) -> Int { state.withLock { $0[path]?.newest ?? 1 } }

    /// Returns the oldest version that may answer a request sent from now on.
    func oldest(of path: String) -> Int { state.withLock { $0[path]?.oldest ?? 1 } }

    /// Changes a path; returns its new version.
    func advance(_ path: String) -> Int {
        state.withLock { versions in
            versions[path, default: Versions()].newest += 1
            return versions[path]?.newest ?? 1
        }
    }

    /// Records that versions before this one are invalidated.
    func acknowledge(_ path: String, _ version: Int) {
        state.withLock { versions in
            let oldest = versions[path]?.oldest ?? 1
            versions[path, default: Versions()].oldest = max(oldest, version)
        }
    }
}
