import CLibrary
import TestSupport

/// A process's use of system resources at one moment.
struct ProcessUsage {
    var residentBytes: Int
    var descriptors: Int
    var threads: Int

    /// All values are zero if the process has ended.
    init(of process: pid_t) {
        let status = Self.text("/proc/\(process)/status").split(separator: "\n")
        residentBytes = Self.number("VmRSS:", in: status) << 10
        threads = Self.number("Threads:", in: status)
        descriptors = TestFolder.names(in: "/proc/\(process)/fd").count
    }

    private static func number(_ name: String, in lines: [Substring]) -> Int {
        let words = lines.first { $0.hasPrefix(name) }?.split { $0 == " " || $0 == "\t" } ?? []
        return words.dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
