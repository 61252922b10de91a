import Clocks
import Dispatch
public import LocatedYAML
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What became of a change of site files.
public enum SiteEvent: Sendable {
    /// So many routes are served now.
    case loaded(routes: Int)
    /// The files are wrong; what was served before goes on.
    case refused(YAMLProblems)
}

/// Reads a site, and reads it again when its files change.
///
/// The system tells of changes; where it does not, as of files that another machine writes, a request within a second notices.
final class SiteFollower: Sendable {
    private let source: SiteSource
    private let apply: @Sendable (Site) -> Void
    private let tell: @Sendable (SiteEvent) -> Void
    private let known: Lock<[String: FileStamp?]>
    /// Real time, whatever the server's clock says: files change in it.
    private let realTime = SystemClock()
    private let lastLook = Lock(Duration.zero)
    private let watch = Lock<(any DispatchSourceRead)?>(nil)

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
        let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        Self.add(source.folders, to: descriptor)
        let events = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        events.setEventHandler { [weak self] in
            Self.empty(descriptor)
            guard let self else { return }
            // A folder that was made just now is one to watch.
            Self.add(source.folders, to: descriptor)
            check()
        }
        events.setCancelHandler { close(descriptor) }
        events.resume()
        watch.withLock { $0 = events }
    }

    /// Ends listening; may be repeated.
    func stop() {
        watch.withLock { watch in
            defer { watch = nil }
            return watch
        }?.cancel()
    }

    /// Looks at the files, if nobody did in the last half second, because looking costs as much as answering.
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

    private static func add(_ folders: [String], to descriptor: CInt) {
        // A file that is being written is read when it is closed.
        let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE
        for folder in folders { inotify_add_watch(descriptor, folder, UInt32(mask)) }
    }

    private static func empty(_ descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
