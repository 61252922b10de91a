import Clocks
import Dispatch
import FileWatching
public import LocatedYAML
import Locks

/// The result of a change of site files.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SiteEvent: Sendable {
    /// The new site with this number of routes is served.
    case loaded(routes: Int)
    /// The files have problems; the previous site is still served.
    case refused(YAMLProblems)
}

/// Loads a site, and reloads it when its files change.
///
/// The system reports changes. If it cannot, as for files that another machine writes, requests check for changes.
final class SiteFollower: Sendable {
    private let source: SiteSource
    private let apply: @Sendable (Site) -> Void
    private let report: @Sendable (SiteEvent) -> Void
    private let known: Lock<[String: FileVersion?]>
    /// Real time, regardless of the server's clock, because files change in real time.
    private let realTime = SystemClock()
    private let lastLook = Lock(Duration.zero)
    private let watches = Lock<[FileWatch]?>(nil)
    /// The queue on which changes are read, in order.
    private let queue = DispatchQueue(label: "site")

    init(
        _ source: SiteSource,
        apply: @escaping @Sendable (Site) -> Void,
        report: @escaping @Sendable (SiteEvent) -> Void
    ) throws(YAMLProblems) {
        self.source = source
        self.apply = apply
        self.report = report
        // Before the files are read, so that a concurrent change is detected.
        known = Lock(source.stamps)
        apply(try source.load())
    }

    deinit { stop() }

    /// Starts to watch for changes; without it only `check()` detects them.
    func start() {
        watches.withLock { $0 = [] }
        watch()
    }

    /// Stops watching; may be repeated.
    func stop() {
        let ended = watches.withLock { watches in
            defer { watches = nil }
            return watches
        }
        // Released outside the lock.
        withExtendedLifetime(ended) {}
    }

    /// Watches the current folders, unless watching has been stopped.
    private func watch() {
        let new = source.folders.compactMap { folder in
            // A file that is being written is read when it is closed.
            FileWatch(folder, [.finished, .appeared, .disappeared]) { [weak self] in self?.lookSoon() }
        }
        let old = watches.withLock { watches in
            defer { if watches != nil { watches = new } }
            return watches
        }
        // Released after the new watches are set: the system treats two watches of one folder as one.
        withExtendedLifetime(old) {}
    }

    private func lookSoon() {
        queue.async { [weak self] in
            // A newly created folder must be watched, too.
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

    /// Reloads the files if they differ from the last check.
    func check() {
        let stamps = source.stamps
        let isNew = known.withLock { known in
            defer { known = stamps }
            return known != stamps
        }
        guard isNew else { return }
        do throws(YAMLProblems) {
            let site = try source.load(readsPipes: false)
            apply(site)
            report(.loaded(routes: site.routes.count))
        } catch {
            report(.refused(error))
        }
    }
}
