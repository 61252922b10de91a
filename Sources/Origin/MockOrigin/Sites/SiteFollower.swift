import Clocks
import Dispatch
import FileWatching
public import LocatedYAML
import Locks

/// What became of a change of site files.
public enum SiteEvent: Sendable {
    /// This many routes are served now.
    case loaded(routes: Int)
    /// The files have problems; the previous site is still served.
    case refused(YAMLProblems)
}

/// Reads a site, and reads it again when its files change.
///
/// The system reports changes. Where it does not, as for files written by another machine, requests check for changes.
final class SiteFollower: Sendable {
    private let source: SiteSource
    private let apply: @Sendable (Site) -> Void
    private let tell: @Sendable (SiteEvent) -> Void
    private let known: Lock<[String: FileVersion?]>
    /// Real time, whatever the server's clock says: files change in it.
    private let realTime = SystemClock()
    private let lastLook = Lock(Duration.zero)
    private let watches = Lock<[FileWatch]?>(nil)
    /// The queue on which changes are read, in order.
    private let queue = DispatchQueue(label: "site")

    init(
        _ source: SiteSource,
        apply: @escaping @Sendable (Site) -> Void,
        tell: @escaping @Sendable (SiteEvent) -> Void
    ) throws(YAMLProblems) {
        self.source = source
        self.apply = apply
        self.tell = tell
        // Before they are read: what changes meanwhile is then seen as a change.
        known = Lock(source.stamps)
        apply(try source.load())
    }

    deinit { stop() }

    /// Starts to listen to the system; without it only `check()` notices.
    func start() {
        watches.withLock { $0 = [] }
        watch()
    }

    /// Ends listening; may be repeated.
    func stop() {
        let ended = watches.withLock { watches in
            defer { watches = nil }
            return watches
        }
        // Outside of the lock.
        withExtendedLifetime(ended) {}
    }

    /// Watches the folders that are there now, unless listening has ended.
    private func watch() {
        let new = source.folders.compactMap { folder in
            // A file that is being written is read when it is closed.
            FileWatch(folder, [.finished, .appeared, .disappeared]) { [weak self] in self?.lookSoon() }
        }
        let old = watches.withLock { watches in
            defer { if watches != nil { watches = new } }
            return watches
        }
        // After the new ones have come: of the same folder they are the same to the system.
        withExtendedLifetime(old) {}
    }

    private func lookSoon() {
        queue.async { [weak self] in
            // A folder that was made just now is one to watch.
            self?.watch()
            self?.check()
        }
    }

    /// Checks the files at most once per half second, because a check costs as much as a response.
    func checkNow() {
        let now = realTime.elapsed
        let isDue = lastLook.withLock { last in
            guard now - last >= .milliseconds(500) else { return false }
            last = now
            return true
        }
        if isDue { check() }
    }

    /// Reads the files again if they are others than at the last look.
    func check() {
        let stamps = source.stamps
        let isNew = known.withLock { known in
            defer { known = stamps }
            return known != stamps
        }
        guard isNew else { return }
        do throws(YAMLProblems) {
            let site = try source.load()
            apply(site)
            tell(.loaded(routes: site.routes.count))
        } catch {
            tell(.refused(error))
        }
    }
}
