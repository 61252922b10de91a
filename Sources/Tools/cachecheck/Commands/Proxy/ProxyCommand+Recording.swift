import Recording

/// `--record`: what the upstream answers, as a site.
extension ProxyCommand {
    /// Begins the recording; `nil` without `--record`.
    func makeRecording() throws -> SiteRecording? {
        guard let recordFolder, let origin = upstream else { return nil }
        do throws(RecordingError) {
            let end = origin.hasSuffix("/") ? 1 : 0
            return try SiteRecording(
                recordFolder,
                origin: String(origin.dropLast(end)),
                keepsSecrets: keepSecrets
            )
        } catch {
            throw stop("cachecheck proxy: \(error)", ExitStatus.unavailable)
        }
    }
}
