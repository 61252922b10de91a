import CLibrary

/// The folder of a certification authority, created on first use and reused.
///
/// It contains `ca.pem` and `ca-key.pem`, `pinned-key.pem`, and a client's credentials: `client.pem`, `client-key.pem`
/// and both in `client.p12`. Only the owner can read the keys.
public struct AuthorityFolder: Sendable {
    /// The password of `client.p12`.
    public static let password = "cachecheck"
    /// Path of the folder, without a trailing slash.
    public let path: String

    /// Creates a reference to a folder, which need not exist.
    public init(path: String) {
        self.path = path
    }

    /// Path of the authority's certificate.
    public var certificatePath: String { path + "/ca.pem" }
    /// Path of the client's certificate.
    public var clientCertificatePath: String { path + "/client.pem" }
    /// Path of the client's key.
    public var clientKeyPath: String { path + "/client-key.pem" }
    /// Path of the client's certificate and key in one file.
    public var clientBundlePath: String { path + "/client.p12" }

    /// Returns the folder's authority; creates missing files, and replaces the client's certificate before it expires.
    ///
    /// `now` is the time since 1970-01-01T00:00:00Z. If two processes start at once, one creates the authority and both use it.
    public func authority(now: Duration) throws(CertificateError) -> CertificateAuthority {
        try FolderFile.makeFolders(path)
        let lock = try FolderFile.lock(path + "/.lock")
        defer { close(lock) }
        let authority: CertificateAuthority
        if let known = try load(now: now) { authority = known } else { authority = try make(now: now) }
        try renewClient(authority, now: now)
        return authority
    }

    private func load(now: Duration) throws(CertificateError) -> CertificateAuthority? {
        guard let certificate = try FolderFile.read(certificatePath),
            let key = try FolderFile.read(path + "/ca-key.pem")
        else { return nil }
        let pinned: PrivateKey
        if let text = try FolderFile.read(path + "/pinned-key.pem") {
            pinned = try parse(path + "/pinned-key.pem") { () throws(CertificateError) in
                try PrivateKey(pem: text)
            }
        } else {
            pinned = try PrivateKey()
            try FolderFile.write(try pinned.pem(), to: path + "/pinned-key.pem", isSecret: true)
        }
        let identity = Identity(
            certificate: try parse(certificatePath) { () throws(CertificateError) in
                try Certificate(pem: certificate)
            },
            key: try parse(path + "/ca-key.pem") { () throws(CertificateError) in try PrivateKey(pem: key) }
        )
        if identity.certificate.expiry < now {
            throw CertificateError(
                "\(certificatePath) has expired; remove \(path), and the next start creates another"
            )
        }
        return CertificateAuthority(identity: identity, pinnedKey: pinned)
    }

    /// Parses the text of one of the folder's files; an error names the file.
    private func parse<Value>(_ file: String, _ body: () throws(CertificateError) -> Value)
        throws(CertificateError) -> Value
    {
        do throws(CertificateError) {
            return try body()
        } catch {
            throw CertificateError(
                "\(file): \(error); remove \(path), and the next start creates all files anew"
            )
        }
    }

    private func expiry(ofClient text: String) throws(CertificateError) -> Duration {
        try parse(clientCertificatePath) { () throws(CertificateError) in try Certificate(pem: text).expiry }
    }

    private func make(now: Duration) throws(CertificateError) -> CertificateAuthority {
        let authority = try CertificateAuthority(now: now)
        try FolderFile.write(try authority.pinnedKey.pem(), to: path + "/pinned-key.pem", isSecret: true)
        try FolderFile.write(try authority.identity.key.pem(), to: path + "/ca-key.pem", isSecret: true)
        // Written last: its presence means that the authority is complete.
        try FolderFile.write(try authority.identity.certificate.pem(), to: certificatePath, isSecret: false)
        for stale in [clientCertificatePath, clientKeyPath, clientBundlePath] { unlink(stale) }
        return authority
    }

    private func renewClient(_ authority: CertificateAuthority, now: Duration) throws(CertificateError) {
        if try FolderFile.read(clientKeyPath) != nil, try FolderFile.exists(clientBundlePath),
            let text = try FolderFile.read(clientCertificatePath),
            try expiry(ofClient: text) > now + CertificateAuthority.day * 7
        {
            return
        }
        let client = try authority.issueClient(name: "CacheCheck test client", now: now)
        try FolderFile.write(try client.key.pem(), to: clientKeyPath, isSecret: true)
        let bundle = try client.pkcs12(password: Self.password)
        try FolderFile.write(bundle, to: clientBundlePath, isSecret: true)
        try FolderFile.write(try client.certificate.pem(), to: clientCertificatePath, isSecret: false)
    }
}
