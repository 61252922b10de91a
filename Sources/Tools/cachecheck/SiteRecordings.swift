import FaultProxy
import Locks
import Recording
import TextCodings

/// The recordings of several proxies, each a separate site below one folder.
///
/// Its methods are called by one thread at a time.
final class SiteRecordings: Sendable {
    private struct Entry {
        let proxy: String
        /// Scheme and authority of the server behind the proxy; `nil` for a forward proxy.
        let origin: String?
        let folder: String
        let recording: SiteRecording
    }
    private let folder: String
    private let redaction: Redaction
    private let entries = Lock<[Entry]>([])

    init(_ folder: String, _ redaction: Redaction) {
        (self.folder, self.redaction) = (folder, redaction)
    }

    /// Begins the recording of a proxy, or continues that of a proxy with its name and its upstream.
    func recording(of proxy: ProxyDefinition) throws(RecordingError) -> SiteRecording {
        let origin = proxy.endpoints.upstreamURL
        let known = entries.withLock { $0 }
        if let entry = known.first(where: { $0.proxy == proxy.name && $0.origin == origin }) {
            return entry.recording
        }
        let name = Self.folderName(proxy.name, besides: known.map(\.folder))
        let recording = try SiteRecording("\(folder)/\(name)", origin: origin, redaction)
        let entry = Entry(proxy: proxy.name, origin: origin, folder: name, recording: recording)
        entries.withLock { $0.append(entry) }
        return recording
    }

    /// Returns the name of a folder that no other recording has: that of the proxy, or with a number after it.
    private static func folderName(_ proxy: String, besides taken: [String]) -> String {
        let isDots = proxy.utf8.allSatisfy { $0 == 0x2E }
        let base = PercentText.encode(proxy) { PercentText.isUnreserved($0) && !(isDots && $0 == 0x2E) }
        var (name, number) = (base, 2)
        while taken.contains(name) { (name, number) = ("\(base)-\(number)", number + 1) }
        return name
    }

    /// Waits until everything is written; returns the names of the files in words.
    func end() throws -> String {
        let ends = entries.withLock { $0 }.map { entry in
            Result { "\(entry.proxy): \(try entry.recording.end())" }
        }
        return try ends.map { try $0.get() }.joined(separator: "\n")
    }
}
