import ArgumentParser
import FaultProxy

/// Which options exclude or need each other.
extension ProxyCommand {
    func validate() throws {
        try validateMinimizing()
        if config != nil { return try validateConfig() }
        try validateModes()
        try validateForward()
        try validateTLS()
        try validateRecording()
        _ = try parsedForwards()
        _ = try parsedFaults(fault)
        try validateLimits()
        if let givenHost, FaultProxy.HostField(givenHost) == nil {
            throw ValidationError("--host: found \"\(givenHost)\", expected client, upstream or a name")
        }
    }

    /// Requires a server to pass to, and the mode that options are for.
    private func validateModes() throws {
        try demand(
            passesMessages || !forwards.isEmpty || toxiproxyPort != nil,
            "found none of --upstream, --forward, --tcp, --toxiproxy-port and --config, expected one of them"
        )
        guard passesMessages || (control.port == nil && rules == nil) else {
            throw ValidationError("--control-port and --rules are for --upstream and --forward")
        }
        guard passesMessages || !allowsRequestFaults else {
            throw ValidationError("--allow-request-faults is for --upstream and --forward")
        }
        guard !passesMessages else { return }
        let ofMessages = [
            ("--record", recordFolder != nil), ("--host", givenHost != nil), ("--x-forwarded", addsForwarded),
            ("--port", givenPort != nil),
        ]
        guard let option = firstTyped(ofMessages) else { return }
        throw ValidationError("\(option) is for --upstream and --forward")
    }

    private func validateTLS() throws {
        let server = try server()
        guard server != nil || tls.choice == nil else { throw ValidationError("--tls is for --upstream") }
        guard tls.caDir == nil || tls.choice != nil || !forward.intercept.isEmpty else {
            throw ValidationError("--ca-dir: found neither --tls nor --intercept, expected one of them")
        }
        try demand(
            server?.isTLS == true || !forward.intercept.isEmpty || !tls.trustOptions.isGiven,
            "--upstream-ca and --insecure-upstream are for an https:// upstream, or --intercept"
        )
    }

    private func validateForward() throws {
        guard forward.isForward else { return }
        try refuse([("--host", givenHost != nil), ("--tls", tls.choice != nil)], with: "--forward")
        guard let upstream, let server = try server() else { return }
        try demand(!server.isTLS, "--forward --upstream: found \(upstream), expected http://host:port")
        // They are about the servers that requests name.
        for (name, isGiven) in [
            ("--allow", !forward.allow.isEmpty), ("--upstream-ca", tls.trustOptions.upstreamCa != nil),
            ("--insecure-upstream", tls.trustOptions.isUpstreamInsecure),
        ] {
            try demand(!isGiven, "--forward --upstream: found \(name), expected it without")
        }
    }

    func validateLimits() throws {
        try demand((1...64).contains(threads), "--threads: found \(threads), expected 1 to 64")
        guard (1...1_000_000).contains(connections) else {
            throw ValidationError("--connections: found \(connections), expected 1 to 1000000")
        }
    }
}
