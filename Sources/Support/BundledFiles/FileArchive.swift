/// Files in memory, by path.
public struct FileArchive: Sendable {
    private var files: [String: ArraySlice<UInt8>] = [:]
    /// Their paths, sorted as a walk through the folders finds them.
    public let paths: [String]

    /// Reads, for each file, its path, a tab, its length, a line feed and its contents; ends at the first malformed one.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let tab = rest.firstIndex(of: UInt8(ascii: "\t")),
            let end = rest[tab...].firstIndex(of: UInt8(ascii: "\n")),
            let count = Int(String(decoding: rest[(tab + 1)..<end], as: UTF8.self)),
            (0..<(rest.endIndex - end)).contains(count)
        {
            let path = String(decoding: rest[..<tab], as: UTF8.self)
            files[path] = rest[(end + 1)..<(end + 1 + count)]
            rest = rest[(end + 1 + count)...]
        }
        paths = files.keys.map { $0.split(separator: "/") }
            .sorted { $0.lexicographicallyPrecedes($1) }
            .map { $0.joined(separator: "/") }
    }

    /// Returns the paths of the files below a folder.
    public func paths(below folder: String) -> [String] { paths.filter { $0.hasPrefix(folder + "/") } }

    /// Returns the contents of a file; `nil` if there is none.
    public func bytes(_ path: String) -> [UInt8]? { files[path].map(Array.init) }

    /// Returns a file's text; `nil` if there is none, or it is not UTF-8.
    public func text(_ path: String) -> String? {
        files[path].flatMap { String(validating: $0, as: UTF8.self) }
    }
}
