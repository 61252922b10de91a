import Certificates
import Cgnutls
import Testing

@Suite("A certificate and its key in one file, RFC 7292")
struct PKCS12Tests {
    private static let now = Duration.seconds(1_767_225_600)

    /// Returns GnuTLS's result of decoding a file.
    private func open(_ file: [UInt8], password: String) throws -> (code: CInt, certificate: Bool, key: Bool)
    {
        var bundle: gnutls_pkcs12_t?
        #expect(gnutls_pkcs12_init(&bundle) == 0)
        let opened = try #require(bundle)
        defer { gnutls_pkcs12_deinit(opened) }
        var bytes = file
        let code = bytes.withUnsafeMutableBufferPointer { buffer in
            var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            return gnutls_pkcs12_import(opened, &datum, GNUTLS_X509_FMT_DER, 0)
        }
        #expect(code == 0)
        let verified = gnutls_pkcs12_verify_mac(opened, password)
        if verified != 0 { return (verified, false, false) }
        var key: gnutls_x509_privkey_t?
        var chain: UnsafeMutablePointer<gnutls_x509_crt_t?>?
        var length: UInt32 = 0
        let parsed = gnutls_pkcs12_simple_parse(opened, password, &key, &chain, &length, nil, nil, nil, 0)
        defer {
            if let key { gnutls_x509_privkey_deinit(key) }
            for index in 0..<Int(length) { gnutls_x509_crt_deinit(chain?[index]) }
            cachecheck_gnutls_free(chain)
        }
        return (parsed, length == 1, key != nil)
    }

    private func identity() throws -> Identity {
        try CertificateAuthority(now: Self.now).issueClient(name: "client", now: Self.now)
    }

    @Test("Another library decodes both with the password", arguments: ["of this run", "", "pä€", "a"])
    func isRead(password: String) throws {
        let seen = try open(identity().pkcs12(password: password), password: password)
        #expect(seen.code == 0)
        #expect(seen.certificate)
        #expect(seen.key)
    }

    @Test("An archive whose key is in clear is read with its password as well")
    func isReadInClear() throws {
        let seen = try open(identity().pkcs12(password: "one", encryptsKey: false), password: "one")
        #expect(seen.code == 0)
        #expect(seen.certificate)
        #expect(seen.key)
    }

    @Test("Another password is refused", arguments: [true, false])
    func isRefused(encryptsKey: Bool) throws {
        let seen = try open(identity().pkcs12(password: "one", encryptsKey: encryptsKey), password: "two")
        #expect(seen.code == GNUTLS_E_MAC_VERIFY_FAILED)
    }

    @Test("The key is not stored in clear")
    func isEncrypted() throws {
        let identity = try identity()
        let pem = try identity.key.pem()
        let file = try identity.pkcs12(password: "one")
        let base64 = pem.split(separator: "\n").dropFirst().dropLast().joined()
        // The last 32 bytes of the key's file are half of its public point, which the certificate contains as well; the
        // bytes before them contain the secret number.
        #expect(!base64.isEmpty)
        #expect(!contains(file, secret(in: base64)))
    }

    /// Returns sixteen bytes of the secret number, which begins 36 bytes into PKCS #8 of a key on P-256 (RFC 5915 §3).
    private func secret(in base64: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for character in base64 {
            guard let value = alphabet.firstIndex(of: character) else { break }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 0xFF))
            }
        }
        return Array(bytes[36..<52])
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        (0...(bytes.count - part.count)).contains { bytes[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
