import ArgumentParser
import Certificates
import Clocks
import HTTPServing
import MockOrigin
import OriginScript
import TextCodings

/// TLS options of the mock server.
struct TLSOptions: ParsableArguments {
    @Option(
        name: .customLong("tls"),
        defaultAsFlag: WrittenChoice(.good),
        parsing: .next,
        help: ArgumentHelp(
            "Also serve HTTPS, in one of these cases: \(TLSCase.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "CASE"
        )
    )
    var choice: WrittenChoice<TLSCase>?

    @Option(
        help: ArgumentHelp("HTTPS port; 0 selects a free one. (default: 8443)", valueName: "N"),
        transform: portNumber
    )
    var tlsPort: UInt16?

    @Option(
        help: ArgumentHelp(
            "Folder of the test authority and of a client certificate; created on first use. (default: build/ca)",
            valueName: "DIR"
        )
    )
    var caDir: String?

    func validate() throws {
        try choice?.validate("--tls", hint: "put a folder before --tls")
        for (name, isGiven) in [("--tls-port", tlsPort != nil), ("--ca-dir", caDir != nil)]
        where isGiven && choice == nil {
            throw ValidationError("\(name) requires --tls")
        }
    }

    private var tls: TLSCase? { choice?.choice }

    private var folder: AuthorityFolder { AuthorityFolder(path: caDir ?? "build/ca") }

    /// Creates the certificates, if TLS is requested.
    func apply(to configuration: inout MockServer.Configuration) throws(CertificateError) {
        guard let tls else { return }
        let now = SystemClock().timeSinceEpoch
        var settings = try tls.settings(of: folder.authority(now: now), now: now)
        settings.onFailure = { printError("cachecheck serve: a TLS handshake failed: \($0)") }
        configuration.tls = settings
        configuration.tlsPort = Int(freeIfZero: tlsPort ?? 8443)
    }

    /// Returns example commands for `path` of a server that has started; empty without TLS.
    func summary(
        of server: MockServer,
        _ configuration: MockServer.Configuration,
        path: String
    ) throws -> String {
        guard let tls, let url = server.tlsURL, let port = server.tlsPort,
            let identity = configuration.tls?.identity
        else { return "" }
        let pin = "sha256//" + Base64.encode(try identity.certificate.publicKeyDigest())
        let host = tls == .wrongHost ? "\n  " + otherHostLine(port, path) : ""
        return """

            And on \(url), with \(tls.explanation). Try:
              \(curl) '\(url)\(path)'\(host)
              curl -i --cacert \(folder.certificatePath) --pinnedpubkey '\(pin)' '\(url)\(path)'
              cachecheck fetch \(url)\(path) --cacert \(folder.certificatePath)\(fetchIdentity)
            """
    }

    private var curl: String {
        let base = "curl -i --cacert \(folder.certificatePath)"
        guard needsClient else { return base }
        return base + " --cert \(folder.clientCertificatePath) --key \(folder.clientKeyPath)"
    }

    private var fetchIdentity: String {
        guard needsClient else { return "" }
        return " --client-cert \(folder.clientBundlePath) --key-password \(AuthorityFolder.password)"
    }

    private var needsClient: Bool { tls == .clientRequired || tls == .clientAsked }

    private func otherHostLine(_ port: Int, _ path: String) -> String {
        let host = TLSCase.otherHost
        return "curl -i --cacert \(folder.certificatePath) --connect-to \(host)::127.0.0.1:\(port) "
            + "'https://\(host):\(port)\(path)'"
    }
}
