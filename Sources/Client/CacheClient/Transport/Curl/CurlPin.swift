import CacheSemantics
import TextCodings

/// Pins of public keys in libcurl's form.
enum CurlPin {
    /// Returns the pin of a digest.
    static func text(_ digest: [UInt8]) -> String {
        "sha256//" + Base64.encode(digest)
    }

    /// Returns the pin of a digest in hexadecimal.
    static func text(hexadecimal: String) -> String {
        let digits = Array(hexadecimal.utf8).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return text(
            stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        )
    }

    /// Returns all pins of a policy; `nil` if nothing is pinned.
    ///
    /// The keys of pinned certificates are also pinned, because libcurl then separates connections by them. A last pin
    /// that no key has separates certificates with the same key.
    static func text(of trust: TrustPolicy) -> String? {
        let keys = trust.publicKeyPins.map(text)
        guard !trust.certificatePins.isEmpty else { return keys.isEmpty ? nil : keys.joined(separator: ";") }
        let certificates = trust.certificatePins.map(\.publicKeyPin).filter {
            keys.isEmpty || keys.contains($0)
        }
        let mark = text(hexadecimal: SHA256.text(trust.certificatePins.flatMap(\.der)))
        return (certificates + [mark]).joined(separator: ";")
    }
}
