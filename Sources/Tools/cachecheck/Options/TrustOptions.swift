import ArgumentParser
import CacheClient
import CLibrary
import FileReading
import TextCodings

/// TLS options of a client: trusted authorities, pins, and its own certificate.
struct TrustOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Trust these authorities (PEM) instead of the system's.", valueName: "FILE"))
    var cacert: String?

    @Flag(
        name: [.long, .customShort("k")],
        help: "Do not verify the certificate chain; the host name is still checked. For tests only."
    )
    var insecure = false

    @Flag(help: "Do not check the host name. For tests only.")
    var anyHost = false

    @Option(
        help: ArgumentHelp(
            "Require this public key (sha256//BASE64), or this certificate (a PEM file), which must be "
                + "identical. May be repeated; one of them must match.",
            valueName: "PIN"
        )
    )
    var pin: [String] = []

    @Option(
        help: ArgumentHelp(
            "Client certificate in PEM, or certificate and key in one PKCS #12 file (.p12 or .pfx).",
            valueName: "FILE"
        )
    )
    var clientCert: String?

    @Option(
        help: ArgumentHelp("Key of --client-cert in PEM, if it is in a separate file.", valueName: "FILE")
    )
    var key: String?

    @Option(help: ArgumentHelp("Password of the key or of the PKCS #12 file.", valueName: "TEXT"))
    var keyPassword: String?

    func validate() throws {
        for (option, path) in [("--cacert", cacert), ("--client-cert", clientCert), ("--key", key)] {
            guard let path, access(path, R_OK) != 0 else { continue }
            throw ValidationError("\(option): \(path): \(String(cString: strerror(errno)))")
        }
        if let cacert { try requireCertificate(in: cacert) }
        if clientCert == nil, key != nil || keyPassword != nil {
            throw ValidationError("--key and --key-password require --client-cert")
        }
        _ = try policy()
    }

    /// Throws a `ValidationError` if a file has no certificate in PEM.
    ///
    /// A pipe can be read only once, and is not checked.
    private func requireCertificate(in path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let text = Self.text(ofPEM: path)
        else {
            return
        }
        let kinds = ["", "TRUSTED ", "X509 "]
        try demand(
            kinds.contains { text.contains("-----BEGIN \($0)CERTIFICATE-----") },
            "--cacert: \(path): found no certificate in PEM, expected those of authorities"
        )
    }

    /// Returns the text of a file in PEM, whose comments need not be UTF-8; `nil` if it cannot be read.
    private static func text(ofPEM path: String) -> String? {
        guard case .success(let bytes) = FileAccess.content(ofFile: path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Throws a `ValidationError` if an option is given, and the only server is one without TLS.
    func requireTLS(of server: String?) throws {
        guard let server, server.lowercased().hasPrefix("http:") else { return }
        let options = [
            ("--cacert", cacert != nil), ("--insecure", insecure), ("--any-host", anyHost),
            ("--pin", !pin.isEmpty), ("--client-cert", clientCert != nil),
        ]
        guard let option = firstTyped(options) else { return }
        throw ValidationError("\(option): found \(server), expected an https:// server")
    }

    /// Returns the trust policy that these options describe.
    func policy() throws -> TrustPolicy {
        var policy = TrustPolicy()
        policy.authorities = cacert.map { .file($0) }
        policy.verifiesChain = !insecure
        policy.checksHostName = !anyHost
        for pin in pin { try add(pin, to: &policy) }
        policy.identity = identity
        return policy
    }

    private func add(_ pin: String, to policy: inout TrustPolicy) throws {
        if pin.hasPrefix("sha256//") {
            guard let digest = Base64.decode(pin.dropFirst(8)), digest.count == 32 else {
                throw ValidationError("--pin: found \(pin), expected sha256// and 44 digits of base64")
            }
            policy.publicKeyPins.append(digest)
        } else if let certificate = Self.text(ofPEM: pin).flatMap({ PinnedCertificate(pem: $0) }) {
            policy.certificatePins.append(certificate)
        } else {
            throw ValidationError(
                "--pin: found \(pin), expected sha256//BASE64 or a file with a certificate in PEM"
            )
        }
    }

    private var identity: TrustPolicy.ClientIdentity? {
        guard let clientCert else { return nil }
        if clientCert.hasSuffix(".p12") || clientCert.hasSuffix(".pfx") {
            return .pkcs12(.file(clientCert), password: keyPassword ?? "")
        }
        return .pem(certificate: .file(clientCert), key: .file(key ?? clientCert), password: keyPassword)
    }
}
