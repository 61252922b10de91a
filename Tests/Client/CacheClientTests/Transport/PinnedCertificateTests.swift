import Testing

@testable import CacheClient

@Suite("Pinned certificates and keys, RFC 5280 §4.1, RFC 7468 §5, RFC 7469 §2.4")
struct PinnedCertificateTests {
    private static let empty: [UInt8] = [0x30, 0]
    /// A version as in certificates with extensions.
    private static let version: [UInt8] = [0xA0, 3, 2, 1, 2]
    private static let serial: [UInt8] = [2, 1, 5]
    private static let key: [UInt8] = [0x30, 4, 3, 2, 0, 1]

    /// Returns a DER sequence with a length in as few bytes as possible.
    private static func sequence(_ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch content.count {
            case ..<0x80: [UInt8(content.count)]
            case ..<0x100: [0x81, UInt8(content.count)]
            case ..<0x1_0000: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
            default:
                [
                    0x83, UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xFF),
                    UInt8(content.count & 0xFF),
                ]
            }
        return [0x30] + length + content
    }

    /// Returns a certificate with these fields, of which the key is the last, and with nothing else that matters.
    private static func certificate(_ fields: [UInt8]..., padding: Int = 0) -> [UInt8] {
        sequence(
            sequence(fields.flatMap(\.self) + [UInt8](repeating: 0, count: padding)) + empty + [3, 1, 0]
        )
    }

    @Test(
        "The pin is the digest of the public key information, with and without a version",
        arguments: [
            certificate(version, serial, empty, empty, empty, empty, key),
            certificate(serial, empty, empty, empty, empty, key),
            certificate(serial, empty, empty, empty, empty, key, padding: 0x7F),
            certificate(serial, empty, empty, empty, empty, key, padding: 0x200),
            certificate(serial, empty, empty, empty, empty, key, padding: 0x2_0000),
        ]
    )
    func pin(der: [UInt8]) {
        // printf '\x30\x04\x03\x02\x00\x01' | openssl dgst -sha256 -binary | base64
        let pin = PinnedCertificate(der: der)
        #expect(pin?.publicKeyPin == "sha256//LX6pFmLwnVi+JNyZlP8ntyUV14Tr1fhUVVnqoJLU1hg=")
        #expect(pin?.der == der)
    }

    @Test(
        "What lacks a field, or ends within one, is no certificate",
        arguments: [
            certificate(serial, empty, empty, empty, empty), certificate(serial, empty, empty, empty, key),
            certificate(empty, empty, empty, empty, key),
            certificate(version, empty, empty, empty, empty, key),
            certificate(serial, empty, empty, empty, empty, [0x30, 5, 3, 2, 0, 1]),
            certificate(serial, empty, empty, empty, empty, [0x30, 0x84, 0, 0, 0, 1, 0]),
            certificate(serial, empty, empty, empty, empty, [0x30, 0x80]),
            certificate(serial, empty, empty, empty, empty, [0x30, 0x82, 1]),
            certificate(serial, empty, serial, empty, empty, key), sequence(key.dropLast(2)),
        ]
    )
    func noCertificate(der: [UInt8]) { #expect(PinnedCertificate(der: der) == nil) }

    @Test("The first certificate of a text in PEM is read, whatever surrounds it")
    func pem() {
        let body = "MBUwEQIBBTAAMAAwADAAMAQDAgABMAA="
        let one = "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n"
        let der = PinnedCertificate(pem: one)?.der
        #expect(der?.prefix(4) == [0x30, 0x15, 0x30, 0x11])
        #expect(der?.count == 23)
        #expect(PinnedCertificate(pem: "text\n" + one + one)?.der == der)
        let split = one.replacing("MAAwADAA", with: "MAAw\r\nADAA").replacing("\n", with: "\r\n")
        #expect(PinnedCertificate(pem: split)?.der == der)
        for damaged in [
            "", body, String(one.dropFirst()), one.replacing("END", with: "BEGIN"),
            one.replacing("MBUw", with: "!"),
            "-----END CERTIFICATE-----\n" + one.replacing("-----END CERTIFICATE-----", with: ""),
        ] { #expect(PinnedCertificate(pem: damaged) == nil) }
    }

    @Test("libcurl gets the pins of the keys, and for pinned certificates a mark that no key has")
    func policies() throws {
        #expect(CurlPin.text(of: TrustPolicy()) == nil)
        var trust = TrustPolicy()
        trust.publicKeyPins = [[0xFF, 0], [1]]
        #expect(CurlPin.text(of: trust) == "sha256///wA=;sha256//AQ==")
        #expect(CurlPin.text(hexadecimal: "ff00") == "sha256///wA=")
        let der = Self.certificate(Self.serial, Self.empty, Self.empty, Self.empty, Self.empty, Self.key)
        let pin = try #require(PinnedCertificate(der: der))
        let other = try #require(PinnedCertificate(der: der + [0]))
        trust.certificatePins = [pin]
        // The certificate's key is not one of the keys, so that nothing is left but the mark.
        #expect(CurlPin.text(of: trust)?.contains(";") == false)
        trust.publicKeyPins = []
        let text = try #require(CurlPin.text(of: trust))
        #expect(text.hasPrefix(pin.publicKeyPin + ";sha256//"))
        trust.certificatePins = [other]
        #expect(CurlPin.text(of: trust)?.hasPrefix(pin.publicKeyPin + ";sha256//") == true)
        #expect(CurlPin.text(of: trust) != text)
    }
}
