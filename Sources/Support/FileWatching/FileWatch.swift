/// Has the system tell of changes of a file, or in a folder, for as long as it lives.
///
/// All watches of a process share one descriptor and one thread, which begin with the first; one more costs a few
/// microseconds.
public final class FileWatch: Sendable {
    private let ticket: FileNotifier.Ticket

    /// Calls `tell` soon after changes, once for those that came together.
    ///
    /// `nil` where there is no such file, or the system has no more watches to give. What the path stands for later, when
    /// that is another file, is not watched. The thread that calls `tell` is that of all watches, so that it must return
    /// quickly; it may call once more while the watch goes.
    public init?(_ path: String, _ changes: FileChanges, _ tell: @escaping @Sendable () -> Void) {
        guard let ticket = FileNotifier.shared.add(path, changes, tell) else { return nil }
        self.ticket = ticket
    }

    deinit { FileNotifier.shared.remove(ticket) }
}
