import CLibrary
import FileReading

/// The output folder of a recording.
///
/// Files are created in two open folders, under names without slashes and without following links, so that nothing
/// outside is written even if the folder is replaced. Each file is written to a temporary file and renamed.
final class RecordingFolder: Sendable {
    enum Place: String, CaseIterable {
        case routes, bodies
    }
    let path: String
    private let routes: CInt
    private let bodies: CInt

    /// Creates the folder, or opens one that contains no site.
    init(path: String) throws(RecordingError) {
        self.path = path
        try Self.makeFolders(path)
        for name in [
            "site.yaml", "site.yml", "site.json", "routes.yaml", "routes.yml", "routes.json", "routes",
        ]
        where access("\(path)/\(name)", F_OK) == 0 && !Self.isEmptyFolder("\(path)/\(name)") {
            throw RecordingError("\(path) already contains a site (\(name)); choose an empty folder")
        }
        routes = try Self.open(path, .routes)
        bodies = try Self.open(path, .bodies)
    }

    /// Creates a folder and those that contain it, unless they exist.
    private static func makeFolders(_ path: String) throws(RecordingError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part
            if mkdir(made, 0o777) != 0, errno != EEXIST { throw failure("\(made) cannot be created") }
            made += "/"
        }
    }

    deinit {
        close(routes)
        close(bodies)
    }

    private static func open(_ path: String, _ place: Place) throws(RecordingError) -> CInt {
        let full = "\(path)/\(place.rawValue)"
        if mkdir(full, 0o777) != 0, errno != EEXIST { throw failure("\(full) cannot be created") }
        let folder = CLibrary.open(full, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw failure("\(full) cannot be opened") }
        return folder
    }

    /// Whether a path is a folder without files, as a recording leaves it that has stored nothing.
    private static func isEmptyFolder(_ path: String) -> Bool {
        FileAccess.names(inFolder: path)?.isEmpty == true
    }

    /// Writes a file atomically; `name` comes from `FileNames`.
    func write(_ bytes: [UInt8], to place: Place, _ name: String) throws(RecordingError) {
        let folder = place == .routes ? routes : bodies
        let full = "\(path)/\(place.rawValue)/\(name)"
        let aside = ".\(name).new"
        unlinkat(folder, aside, 0)
        let file = openat(folder, aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw Self.failure("\(full) cannot be written") }
        guard Self.write(bytes, to: file), renameat(folder, aside, folder, name) == 0 else {
            let failure = Self.failure("\(full) cannot be written")
            unlinkat(folder, aside, 0)
            throw failure
        }
    }

    /// Writes and closes; returns false, with `errno` set, on failure.
    private static func write(_ bytes: [UInt8], to file: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CLibrary.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = errno
                close(file)
                errno = reason
                return false
            }
            rest = rest.dropFirst(count)
        }
        return close(file) == 0
    }

    private static func failure(_ what: String) -> RecordingError {
        RecordingError("\(what): \(String(cString: strerror(errno)))")
    }
}

/// File names derived from paths, valid in every file system.
struct FileNames {
    /// The largest number of characters without number and extension.
    private let longest: Int
    private var taken: Set<String> = []

    init(longest: Int = 80) { self.longest = longest }

    /// Returns a unique name with an extension.
    mutating func name(for text: String, ending: String) -> String {
        let base = base(text)
        var name = base + ending
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(base)-\(number)\(ending)"
            number += 1
        }
        return name
    }

    /// Returns the letters, digits and separators of a text.
    private func base(_ text: String) -> String {
        var base = ""
        for byte in text.lowercased().utf8 {
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
            if isPlain {
                base.append(Character(UnicodeScalar(byte)))
            } else if !base.isEmpty, base.last != "-" {
                base.append("-")
            }
            if base.count == longest { break }
        }
        while base.last == "-" { base.removeLast() }
        return base.isEmpty ? "root" : base
    }
}
