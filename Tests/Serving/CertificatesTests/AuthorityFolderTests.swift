import Certificates
import CLibrary
import Testing
import TestSupport

@Suite("The folder of a test authority", .blocking)
struct AuthorityFolderTests {
    private let now = Duration.seconds(1_767_225_600)

    /// Calls `body` with the path of a separate folder, which does not exist yet.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try TestFolder()
        try withExtendedLifetime(folder) { try body(folder.path + "/ca") }
    }

    private static let names = [
        "ca.pem", "ca-key.pem", "pinned-key.pem", "client.pem", "client-key.pem", "client.p12",
    ]

    private func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func put(_ text: String, at path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    @Test("It is created on first use, and does not change afterwards")
    func isKept() throws {
        try withFolder { path in
            let folder = AuthorityFolder(path: path)
            let first = try folder.authority(now: now)
            let files = Self.names.map { text("\(path)/\($0)") }
            let second = try folder.authority(now: now + .seconds(86_400))
            #expect(Self.names.map { text("\(path)/\($0)") } == files)
            #expect(try first.identity.certificate.pem() == second.identity.certificate.pem())
            #expect(try first.pinnedKey.pem() == second.pinnedKey.pem())
            #expect(files[0]?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
        }
    }

    @Test(
        "Only the owner can read a key",
        arguments: ["ca-key.pem", "pinned-key.pem", "client-key.pem", "client.p12"]
    )
    func keysAreSecret(name: String) throws {
        try withFolder { path in
            _ = try AuthorityFolder(path: path).authority(now: now)
            var status = stat()
            #expect(stat("\(path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }

    @Test("A client's certificate is renewed before it expires, by the same authority")
    func clientIsRenewed() throws {
        try withFolder { path in
            let folder = AuthorityFolder(path: path)
            _ = try folder.authority(now: now)
            let (authority, client) = (text(path + "/ca.pem"), text(path + "/client.pem"))
            _ = try folder.authority(now: now + .seconds(85 * 86_400))
            #expect(text(path + "/ca.pem") == authority)
            #expect(text(path + "/client.pem") != client)
        }
    }

    @Test("An expired authority is an error with instructions")
    func expiredAuthority() throws {
        try withFolder { path in
            _ = try AuthorityFolder(path: path).authority(now: now)
            let error = #expect(throws: CertificateError.self) {
                _ = try AuthorityFolder(path: path).authority(now: now + .seconds(3700 * 86_400))
            }
            #expect(
                error?.description
                    == "\(path)/ca.pem has expired; remove \(path), and the next start creates another"
            )
        }
    }

    @Test(
        "A file with other content is an error that names it, and is not changed",
        arguments: ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
        ["ca.pem", "ca-key.pem", "pinned-key.pem", "client.pem"]
    )
    func damaged(content: String, name: String) throws {
        try withFolder { path in
            _ = try AuthorityFolder(path: path).authority(now: now)
            let file = path + "/" + name
            put(content, at: file)
            let error = #expect(throws: CertificateError.self) {
                _ = try AuthorityFolder(path: path).authority(now: now)
            }
            #expect(error?.description.hasPrefix(file + ": ") == true)
            #expect(text(file) == content)
        }
    }

    @Test("A folder that cannot be created is an error that names it")
    func noFolder() {
        let error = #expect(throws: CertificateError.self) {
            _ = try AuthorityFolder(path: "/dev/null/ca").authority(now: now)
        }
        #expect(error?.description.hasPrefix("folder /dev/null") == true)
    }
}

@Suite("Certificates, RFC 5280", .blocking)
struct CertificateTests {
    private let now = Duration.seconds(1_767_225_600)

    @Test("A certificate and its key survive PEM")
    func pem() throws {
        let authority = try CertificateAuthority(now: now)
        let identity = try authority.issueClient(name: "somebody", now: now)
        let certificate = try Certificate(pem: identity.certificate.pem())
        #expect(try certificate.subject() == "CN=somebody")
        #expect(try certificate.publicKeyDigest() == identity.certificate.publicKeyDigest())
        #expect(certificate.expiry == .seconds(1_767_225_600 + 89 * 86_400))
        #expect(try PrivateKey(pem: identity.key.pem()).pem() == identity.key.pem())
    }

    @Test("Certificates with one key have one digest, with two keys two")
    func digests() throws {
        let authority = try CertificateAuthority(now: now)
        let terms = CertificateTerms(name: "a", purpose: .server, validity: .zero ... .seconds(4_000_000_000))
        let first = try authority.issue(terms, key: authority.pinnedKey)
        let second = try authority.issue(terms, key: authority.pinnedKey)
        #expect(try first.certificate.publicKeyDigest() == second.certificate.publicKeyDigest())
        #expect(try first.certificate.pem() != second.certificate.pem())
        #expect(
            try first.certificate.publicKeyDigest() != authority.issue(terms).certificate.publicKeyDigest()
        )
    }

    @Test(
        "Anything but a key or certificate is an error",
        arguments: ["", "x", "-----BEGIN PRIVATE KEY-----\n"]
    )
    func garbage(text: String) {
        #expect(throws: CertificateError.self) { _ = try PrivateKey(pem: text) }
        #expect(throws: CertificateError.self) { _ = try Certificate(pem: text) }
    }
}
