import ArgumentParser
import HTTPServing

/// Options for verifying an upstream's certificate.
struct UpstreamTrustOptions: ParsableArguments {
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
        if upstreamCa != nil, isUpstreamInsecure {
            throw ValidationError("--upstream-ca and --insecure-upstream cannot be combined")
        }
    }

    /// Whether an option was given.
    var isGiven: Bool { upstreamCa != nil || isUpstreamInsecure }

    /// The authorities that the options name, and whether the certificate is verified.
    var trust: TLSTrust {
        var trust = TLSTrust()
        trust.verifies = !isUpstreamInsecure
        if let upstreamCa { trust.authorities = .file(upstreamCa) }
        return trust
    }
}
