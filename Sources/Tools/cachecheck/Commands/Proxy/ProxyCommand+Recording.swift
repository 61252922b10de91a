import Recording

/// `--record`: what the upstream answers, as a site.
extension ProxyCommand {
    /// Begins the recording; `nil` without `--record`.
    func makeRecording() throws -> SiteRecording? {
        guard let recordFolder else { return nil }
        let origin = forward.isForward ? nil : upstream.map { $0.dropLast($0.hasSuffix("/") ? 1 : 0) }
        do throws(RecordingError) {
            return try SiteRecording(
                recordFolder,
                origin: origin.map(String.init),
                keepsSecrets: keepSecrets
            )
        } catch {
            throw stop("cachecheck proxy: \(error)", ExitStatus.unavailable)
        }
    }
}
