import ArgumentParser
import FaultProxy
import HTTPServing

/// Options of passing requests to an upstream.
struct PassingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Forward requests that match no route, file or page to this server, http://host:port or https://host:port. Routes can forward selectively with pass: {…}.",
            valueName: "URL"
        )
    )
    var upstream: String?

    @OptionGroup var trustOptions: UpstreamTrustOptions

    func validate() throws {
        let server = try upstream.map(upstreamServer)
        guard server?.isTLS == true || !trustOptions.isGiven else {
            throw ValidationError("--upstream-ca and --insecure-upstream are for an https:// upstream")
        }
    }

    /// Creates the passer that the options ask for, and starts it; `nil` without an upstream.
    func start() throws -> UpstreamPasser? {
        guard let upstream else { return nil }
        let server = try upstreamServer(upstream)
        return try orStop(ExitStatus.unavailable, "cachecheck serve: ") {
            let passer = try UpstreamPasser(to: server, trust: trustOptions.trust)
            try passer.start()
            return passer
        }
    }
}

/// Reads the server of `--upstream`.
func upstreamServer(_ text: String) throws -> Upstream {
    if let origin = OriginURL(argument: text) { return origin.server }
    throw ValidationError("--upstream: found \(text), expected \(OriginURL.expected)")
}
