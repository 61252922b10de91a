import FileReading
import CLibrary

/// Facts about the machine that are needed to interpret a figure.
enum Machine {
    static var facts: String {
        let model =
            lines(of: "/proc/cpuinfo").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last.map(String.init)?.trimmed ?? "unknown processor"
        let memory =
            lines(of: "/proc/meminfo").first { $0.hasPrefix("MemTotal") }?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let kernel = lines(of: "/proc/sys/kernel/osrelease").first ?? "?"
        return """
            \(model), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \(memory >> 20) GiB, Linux \
            \(kernel), \(clockReading) ns per clock reading, \(fileReading) ns per read of 16 KiB from the page cache
            """
    }

    /// Nanoseconds of one reading of the clock: a shared machine is sometimes half as fast as at other times.
    private static var clockReading: Int64 {
        let batch = 10_000
        let samples = Samples(count: 50, batch: batch) { for _ in 0..<batch { _ = Samples.now() } }
        return Int64(samples.median)
    }

    /// Nanoseconds of one `pread` of 16 KiB from the page cache, of which hits on disk make several; 0 without a file.
    private static var fileReading: Int64 {
        guard let file = tmpfile() else { return 0 }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 1, count: 16 << 10)
        fwrite(&buffer, 1, buffer.count, file)
        fflush(file)
        let batch = 200
        let samples = Samples(count: 50, batch: batch) {
            for _ in 0..<batch { pread(fileno(file), &buffer, buffer.count, 0) }
        }
        return Int64(samples.median)
    }

    /// Returns the user and system time of a process in microseconds, from /proc; 0 if it has ended.
    static func processorMicroseconds(of process: pid_t) -> Double {
        guard let text = lines(of: "/proc/\(process)/stat").first, let end = text.lastIndex(of: ")") else {
            return 0
        }
        let parts = text[text.index(after: end)...].split(separator: " ")
        guard parts.count > 12, let user = Double(parts[11]), let system = Double(parts[12]) else { return 0 }
        return (user + system) * 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns the user and system time of a process and its children in microseconds.
    static func processorMicroseconds(ofTree process: pid_t) -> Double {
        let children = lines(of: "/proc/\(process)/task/\(process)/children").first ?? ""
        return children.split(separator: " ").compactMap { pid_t($0) }
            .reduce(processorMicroseconds(of: process)) { $0 + processorMicroseconds(ofTree: $1) }
    }

    /// Returns the resident bytes of a process; 0 if it has ended.
    static func residentBytes(of process: pid_t) -> Int { status("VmRSS", of: process) << 10 }

    static func residentMiB(of process: pid_t) -> Double {
        Double(residentBytes(of: process)) / Double(1 << 20)
    }

    /// Returns the number of threads of a process; 0 if it has ended.
    static func threadCount(of process: pid_t) -> Int { status("Threads", of: process) }

    /// Returns a number from /proc/PID/status.
    private static func status(_ name: String, of process: pid_t) -> Int {
        let line = lines(of: "/proc/\(process)/status").first { $0.hasPrefix(name + ":") }
        let words = line?.split { $0 == " " || $0 == "\t" } ?? []
        return words.dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Replaces a file's content; a failure is ignored, because the file's reader notices it.
    static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        defer { fclose(file) }
        fputs(text, file)
    }

    static func lines(of path: String) -> [String] {
        guard case .success(let bytes) = FileAccess.content(ofFile: path) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }),
            let last = lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return "" }
        return String(self[first...last])
    }
}
