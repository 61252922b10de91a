import ArgumentParser
import FaultProxy
import HTTPServing

/// Options of passing requests to an upstream.
struct PassingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Pass requests that no route, file or page matches to this server, http://host:port or https://host:port; answers may be pass: {…}.",
            valueName: "URL"
        )
    )
    var upstream: String?

    @Option(
        help: ArgumentHelp(
            "Trust these authorities (PEM) for an https:// upstream, instead of the system's.",
            valueName: "FILE"
        )
    )
    var upstreamCa: String?

    @Flag(name: .customLong("insecure-upstream"), help: "Accept any certificate of an https:// upstream.")
    var isUpstreamInsecure = false

    func validate() throws {
        let server = try upstream.map(upstreamServer)
        guard upstreamCa == nil || !isUpstreamInsecure else {
            throw ValidationError("--upstream-ca and --insecure-upstream exclude each other")
        }
        guard server?.isTLS == true || (upstreamCa == nil && !isUpstreamInsecure) else {
            throw ValidationError("--upstream-ca and --insecure-upstream are for an https:// upstream")
        }
    }

    /// Creates the passer that the options ask for, and starts it; `nil` without an upstream.
    func start() throws -> UpstreamPasser? {
        guard let upstream else { return nil }
        let server = try upstreamServer(upstream)
        var trust = TLSTrust()
        trust.verifies = !isUpstreamInsecure
        if let upstreamCa { trust.authorities = .file(upstreamCa) }
        do throws(ServerError) {
            let passer = try UpstreamPasser(to: server, trust: trust)
            try passer.start()
            return passer
        } catch {
            throw stop("cachecheck serve: \(error)", ExitStatus.unavailable)
        }
    }
}

/// Reads the server of `--upstream`.
func upstreamServer(_ text: String) throws -> Upstream {
    if let server = Upstream(url: text) { return server }
    throw ValidationError(
        "--upstream: found \(text), expected http://host:port or https://host:port without a path"
    )
}
