import FileWatching
public import LocatedYAML
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What became of a change of a file of rules.
public enum RuleEvent: Sendable {
    /// This many rules are in effect now.
    case loaded(rules: Int)
    /// The file has problems; the previous rules stay in effect.
    case refused(YAMLProblems)
}

/// Reads a file of rules, and reads it again when it changes.
final class RuleFollower: Sendable {
    private let path: String
    private let text: Lock<String>
    private let watch = Lock<FileWatch?>(nil)
    private let apply: @Sendable (RuleFile) -> Void
    private let tell: @Sendable (RuleEvent) -> Void

    /// Creates a follower of a file with this text, which has been applied.
    init(
        _ path: String,
        text: String,
        apply: @escaping @Sendable (RuleFile) -> Void,
        tell: @escaping @Sendable (RuleEvent) -> Void
    ) {
        self.path = path
        self.text = Lock(text)
        self.apply = apply
        self.tell = tell
    }

    /// The folder of a file.
    static func folder(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }

    /// Starts to follow: the folder is watched, because editors replace files.
    func start() {
        let watch = FileWatch(Self.folder(of: path), [.finished, .appeared]) { [weak self] in self?.check() }
        self.watch.withLock { $0 = watch }
    }

    /// Ends following.
    func stop() {
        let ended = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        // Outside of the lock.
        withExtendedLifetime(ended) {}
    }

    private func check() {
        guard let new = Self.read(path) else { return }
        let isNew = text.withLock { text in
            defer { text = new }
            return text != new
        }
        guard isNew else { return }
        do throws(YAMLProblems) {
            let file = try RuleFile.decode(new, path: path)
            apply(file)
            tell(.loaded(rules: file.count))
        } catch {
            tell(.refused(error))
        }
    }

    /// Returns the text of a file; `nil` if it cannot be read.
    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += buffer[..<count]
        }
    }
}
