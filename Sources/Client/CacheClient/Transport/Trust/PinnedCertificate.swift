import CacheSemantics
import TextCodings

/// An X.509 certificate with which a server's is compared.
public struct PinnedCertificate: Sendable, Hashable {
    /// The certificate in DER.
    public let der: [UInt8]
    /// The pin of its public key, in libcurl's form.
    let publicKeyPin: String

    /// Reads a certificate in DER; `nil` if it is not one.
    public init?(der: [UInt8]) {
        guard let information = Self.publicKeyInformation(der) else { return nil }
        self.der = der
        publicKeyPin = CurlPin.text(hexadecimal: SHA256.text(information))
    }

    /// Reads the first certificate of a text in PEM; `nil` if there is none.
    public init?(pem: String) {
        guard let der = Self.der(ofPEM: pem) else { return nil }
        self.init(der: der)
    }

    /// Returns the bytes between the first two lines with which PEM frames a certificate (RFC 7468 §5).
    static func der(ofPEM text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----"),
            let end = lines[begin...].firstIndex(of: "-----END CERTIFICATE-----"),
            let der = Base64.decode(lines[(begin + 1)..<end].joined())
        else { return nil }
        return der
    }

    /// Returns the public key information (RFC 5280 §4.1): the certificate's sixth field apart from its version, after
    /// the signature's algorithm, the issuer, the validity and the subject.
    private static func publicKeyInformation(_ der: [UInt8]) -> ArraySlice<UInt8>? {
        var file = DERReader(der[...])
        guard var certificate = file.next(.sequence)?.reader, var fields = certificate.next(.sequence)?.reader
        else { return nil }
        _ = fields.next(.version)
        guard fields.next(.integer) != nil else { return nil }
        for _ in 0..<4 where fields.next(.sequence) == nil { return nil }
        return fields.next(.sequence)?.whole
    }
}

/// A reader of the elements of DER, one after another (ITU-T X.690).
private struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case sequence = 0x30
        case version = 0xA0
    }
    struct Element {
        let whole: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>
        var reader: DERReader { DERReader(content) }
    }
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Returns the next element and moves past it, if it has this tag.
    mutating func next(_ tag: Tag) -> Element? {
        guard rest.first == tag.rawValue, let (count, size) = length(rest.dropFirst()) else { return nil }
        let start = rest.startIndex + 1 + size
        guard count <= rest.endIndex - start else { return nil }
        let end = start + count
        defer { rest = rest[end...] }
        return Element(whole: rest[..<end], content: rest[start..<end])
    }

    /// Returns the length that starts here, and the number of bytes in which it is encoded.
    private func length(_ bytes: ArraySlice<UInt8>) -> (Int, Int)? {
        guard let first = bytes.first else { return nil }
        if first < 0x80 { return (Int(first), 1) }
        let size = Int(first & 0x7F)
        guard (1...3).contains(size), bytes.count > size else { return nil }
        return (bytes.dropFirst().prefix(size).reduce(0) { $0 << 8 | Int($1) }, 1 + size)
    }
}
