import ArgumentParser
import Certificates
import Clocks
import FaultProxy
import HTTPServing
import MockOrigin
import OriginScript

/// TLS options of the proxy.
struct ProxyTLSOptions: ParsableArguments {
    @Option(
        name: .customLong("tls"),
        defaultAsFlag: WrittenChoice(.good),
        parsing: .next,
        help: ArgumentHelp(
            "Serve HTTPS in place of HTTP, in one of these cases: \(TLSCase.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "CASE"
        )
    )
    var choice: WrittenChoice<TLSCase>?

    @Option(
        help: ArgumentHelp(
            "Folder of the test authority; created on first use. (default: build/ca)",
            valueName: "DIR"
        )
    )
    var caDir: String?

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
        try choice?.validate("--tls", hint: "put other arguments before --tls")
        if upstreamCa != nil, isUpstreamInsecure {
            throw ValidationError("--upstream-ca and --insecure-upstream exclude each other")
        }
    }

    /// Whether an option concerns the connection to the upstream.
    var concernsUpstream: Bool { upstreamCa != nil || isUpstreamInsecure }

    /// The scheme of the port.
    var scheme: String { choice == nil ? "http" : "https" }

    /// Path of the authority's certificate; `nil` without TLS.
    var authorityPath: String? { choice == nil ? nil : folder.certificatePath }

    /// The folder of the authority.
    var folder: AuthorityFolder { AuthorityFolder(path: caDir ?? "build/ca") }

    /// Creates the certificates, if TLS is requested.
    func apply(to configuration: inout FaultProxy.Configuration) throws(CertificateError) {
        configuration.upstreamTrust.verifies = !isUpstreamInsecure
        if let upstreamCa { configuration.upstreamTrust.authorities = .file(upstreamCa) }
        guard let choice = choice?.choice else { return }
        configuration.tls = try settings(choice)
    }

    /// Creates the certificates of a case.
    func settings(_ choice: TLSCase) throws(CertificateError) -> TLSSettings {
        let now = SystemClock().wallSeconds
        var settings = try choice.settings(of: folder.authority(now: now), now: now)
        settings.onFailure = { printError("cachecheck proxy: a TLS handshake failed: \($0)") }
        return settings
    }
}
