import Locks

/// Which version of each path the origin has, and which is the oldest that may still be used.
final class VersionLedger: Sendable {
    private struct Versions {
        var newest = 1
        /// The version that was current when the last acknowledged invalidation or purge began.
        var oldest = 1
    }
    private let state = Lock<[String: Versions]>([:])

    /// The newest version of a path.
    func newest(of path: String) -> Int { state.withLock { $0[path]?.newest ?? 1 } }

    /// The oldest version that may answer a request which is sent from now on.
    func oldest(of path: String) -> Int { state.withLock { $0[path]?.oldest ?? 1 } }

    /// Changes a path; returns its new version.
    func advance(_ path: String) -> Int {
        state.withLock { versions in
            versions[path, default: Versions()].newest += 1
            return versions[path]?.newest ?? 1
        }
    }

    /// Takes over that versions before this one are invalidated.
    func acknowledge(_ path: String, _ version: Int) {
        state.withLock { versions in
            let oldest = versions[path]?.oldest ?? 1
            versions[path, default: Versions()].oldest = max(oldest, version)
        }
    }
}
