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

    @OptionGroup var trustOptions: UpstreamTrustOptions

    func validate() throws {
        try choice?.validate("--tls", hint: "put other arguments before --tls")
    }

    /// The scheme of the port.
    var scheme: String { choice == nil ? "http" : "https" }

    /// Path of the authority's certificate; `nil` without TLS.
    var authorityPath: String? { choice == nil ? nil : folder.certificatePath }

    /// The folder of the authority.
    var folder: AuthorityFolder { AuthorityFolder(path: caDir ?? "build/ca") }

    /// Creates the certificates, if TLS is requested.
    func apply(to configuration: inout FaultProxy.Configuration) throws(CertificateError) {
        configuration.upstreamTrust = trustOptions.trust
        guard let choice = choice?.choice else { return }
        configuration.tls = try settings(choice)
    }

    /// Creates the certificates of a case.
    func settings(_ choice: TLSCase) throws(CertificateError) -> TLSSettings {
        let now = SystemClock().timeSinceEpoch
        var settings = try choice.settings(of: folder.authority(now: now), now: now)
        settings.onFailure = { printError("cachecheck proxy: a TLS handshake failed: \($0)") }
        return settings
    }
}
