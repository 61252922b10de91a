import ArgumentParser
import CLibrary
import FileReading
import FileWatching
import Locks

/// `--watch`.
extension Run {
    /// Runs, and repeats the run after every change of a file that it reads, until the process is ended.
    func runRepeatedly() throws -> Never {
        let changes = Monitor(0)
        while true {
            let seen = changes.withLock { $0 }
            let inputs = WatchedFiles(watchedPaths)
            try demand(!inputs.versions.isEmpty, "--watch: found no file to watch, expected scenario files")
            let watches = try watches(inputs.folders, changes)
            runAndReport()
            printError("Waiting for a change of \(watchedPaths.joined(separator: ", ")). Ctrl-C ends.")
            inputs.waitForChange(changes, after: seen)
            withExtendedLifetime(watches) {}
        }
    }

    /// Watches folders while the result exists; each event counts as a change.
    private func watches(_ folders: some Sequence<String>, _ changes: Monitor<Int>) throws -> [FileWatch] {
        try folders.map { folder in
            let watch = FileWatch(folder, [.finished, .appeared, .disappeared]) {
                changes.withLock { $0 += 1 }
                changes.wakeAll()
            }
            if let watch { return watch }
            throw stop(
                "--watch: the system's limit on watched folders has been reached",
                ExitStatus.unavailable
            )
        }
    }

    /// Runs once; what would end the command is printed.
    private func runAndReport() {
        do {
            try runOnce()
        } catch {
            let message = Self.message(for: error)
            if !message.isEmpty { printError(message) }
        }
        fflush(nil)
    }

    /// Files and folders that a run reads, including those of the subject's command.
    private var watchedPaths: [String] {
        var paths = paths + [baseline, replayDecisions].compactMap(\.self) + ruleOptions.files
        if case .driver(let command) = subject.choice {
            paths += command.split(separator: " ").map(String.init).filter { access($0, F_OK) == 0 }
        }
        return paths
    }
}

/// The files below some paths, as they were at one point in time.
private struct WatchedFiles {
    private let paths: [String]
    /// The folders that contain the files.
    private(set) var folders: Set<String> = []
    private(set) var versions: [String: FileVersion] = [:]

    init(_ paths: [String]) {
        self.paths = paths
        for path in paths { add(path, isNamed: true) }
    }

    /// Blocks until the files differ from those at this time; reports that a run writes are no difference.
    func waitForChange(_ changes: Monitor<Int>, after seen: Int) {
        var seen = seen
        while WatchedFiles(paths).versions == versions {
            let known = seen
            seen = changes.wait { count, _ in count == known ? .wait() : .done(count) }
        }
    }

    private mutating func add(_ path: String, isNamed: Bool) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR { return addFolder(path) }
        guard isNamed || path.hasSuffix(".yaml") else { return }
        if isNamed { folders.insert(FileAccess.folder(of: path)) }
        versions[path] = FileVersion(status)
    }

    private mutating func addFolder(_ path: String) {
        // A link may lead back to a parent folder.
        guard let real = FileAccess.realPath(path), folders.insert(real).inserted else { return }
        for name in FileAccess.names(inFolder: path) ?? [] where !name.hasPrefix(".") {
            add("\(path)/\(name)", isNamed: false)
        }
    }
}
