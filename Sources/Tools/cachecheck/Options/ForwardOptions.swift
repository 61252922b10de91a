import Addresses
import ArgumentParser
import Certificates
import Clocks
import FaultProxy

/// Options of a forward proxy.
struct ForwardOptions: ParsableArguments {
    @Flag(
        name: .customLong("forward"),
        help:
            "Act as a forward proxy, for clients that are configured to use one: http:// requests pass with all faults, CONNECT begins a tunnel."
    )
    var isForward = false

    @Option(
        help: ArgumentHelp(
            "With --forward, terminate the TLS of this host, such as example.com, *.example.com or *, so that all faults apply. May be repeated.",
            valueName: "HOST"
        )
    )
    var intercept: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --forward, non-public addresses that may be connected to, such as 127.0.0.0/8. May be repeated.",
            valueName: "ADDRESS/BITS"
        )
    )
    var allow: [String] = []

    func validate() throws {
        for (name, isGiven) in [("--intercept", !intercept.isEmpty), ("--allow", !allow.isEmpty)]
        where isGiven && !isForward {
            throw ValidationError("\(name) is only for --forward")
        }
        _ = try hosts()
        _ = try blocks()
    }

    /// The first option that is given; `nil` if none is.
    var given: String? {
        isForward ? "--forward" : intercept.isEmpty ? allow.isEmpty ? nil : "--allow" : "--intercept"
    }

    /// Reads the options, and creates the authority if TLS is terminated.
    func forwarding(_ folder: AuthorityFolder) throws -> Forwarding {
        var forwarding = Forwarding()
        forwarding.allowedAddresses = try blocks()
        let hosts = try hosts()
        guard !hosts.isEmpty else { return forwarding }
        forwarding.interception = try orStop(ExitStatus.unavailable, "cachecheck proxy: ") {
            try Self.interception(of: hosts, folder)
        }
        return forwarding
    }

    /// Creates the interception of hosts by the authority of a folder, which is created on first use.
    static func interception(of hosts: [HostPattern], _ folder: AuthorityFolder) throws(CertificateError)
        -> Interception
    {
        let authority = try folder.authority(now: SystemClock().timeSinceEpoch)
        var interception = Interception(of: hosts, authority: authority)
        interception.onFailure = { printError("cachecheck proxy: a TLS handshake failed: \($0)") }
        return interception
    }

    private func hosts() throws -> [HostPattern] {
        try intercept.map { text in
            guard let pattern = HostPattern(text) else {
                throw ValidationError("--intercept: found \(text), expected a host, *.DOMAIN or *")
            }
            return pattern
        }
    }

    private func blocks() throws -> [AddressBlock] { try addressBlocks(allow) }
}

/// Reads the blocks of `--allow`.
func addressBlocks(_ texts: [String]) throws -> [AddressBlock] {
    try texts.map { text in
        guard let block = AddressBlock(text) else {
            throw ValidationError("--allow: found \(text), expected ADDRESS/BITS such as 127.0.0.0/8")
        }
        return block
    }
}
