/// A watch on a file or folder that reports changes for as long as it is retained.
///
/// All watches of a process share one descriptor and one thread, which start with the first watch. Adding another
/// takes a few microseconds.
public final class FileWatch: Sendable {
    private let ticket: FileNotifier.Ticket

    /// Starts to call `notify` soon after changes, once for changes that arrive together.
    ///
    /// Returns `nil` if the file does not exist or the system's limit of watches is reached. A file that replaces this one
    /// at the same path later is not watched. All watches share the thread that calls `notify`, so it must return
    /// quickly. `notify` may be called once more while the watch is being released.
    public init?(_ path: String, _ changes: FileChanges, _ notify: @escaping @Sendable () -> Void) {
        guard let ticket = FileNotifier.shared.add(path, changes, notify) else { return nil }
        self.ticket = ticket
    }

    deinit { FileNotifier.shared.remove(ticket) }
}
