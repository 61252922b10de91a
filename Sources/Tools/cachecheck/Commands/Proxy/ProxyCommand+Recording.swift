import ArgumentParser
import FaultProxy
import Recording

/// `--record`: what the upstream answers, as a site.
extension ProxyCommand {
    /// Refuses options that belong to `--record` without it.
    func validateRecording() throws {
        guard recordFolder == nil, let option = redaction.given else { return }
        throw ValidationError("\(option) requires --record")
    }

    /// Begins the recording; `nil` without `--record`.
    func makeRecording() throws -> SiteRecording? {
        guard let recordFolder else { return nil }
        let origin = forward.isForward ? nil : upstream.map { $0.dropLast($0.hasSuffix("/") ? 1 : 0) }
        return try orStop(ExitStatus.unavailable, "cachecheck proxy: ") {
            try SiteRecording(recordFolder, origin: origin.map(String.init), redaction.redaction)
        }
    }

    /// Begins the recordings of the proxies of a file; `nil` without `--record`.
    func makeRecordings(of file: ProxyFile, _ path: String) throws -> SiteRecordings? {
        guard let recordFolder else { return nil }
        let proxies = file.proxies.filter { $0.endpoints.mode == .http }
        try demand(
            !proxies.isEmpty,
            "--record: found only proxies for tcp:// in \(path), expected one for http:// or https://, or one that forwards"
        )
        let recordings = SiteRecordings(recordFolder, redaction.redaction)
        try orStop(ExitStatus.unavailable, "cachecheck proxy: ") {
            for proxy in proxies { _ = try recordings.recording(of: proxy) }
        }
        return recordings
    }

    /// Returns the recorder of a proxy's exchanges; `nil`, with a message, if its folder cannot be used.
    static func recorder(_ recordings: SiteRecordings, of proxy: ProxyDefinition)
        -> (@Sendable (RecordedEvent) -> Void)?
    {
        do throws(RecordingError) {
            let recording = try recordings.recording(of: proxy)
            return { recording.take($0) }
        } catch {
            printError("cachecheck proxy: proxy \(proxy.name) is not recorded: \(error)")
            return nil
        }
    }
}
