import CacheSemantics
import TextCodings

/// Pins of public keys as libcurl takes them.
enum CurlPin {
    /// One pin by its digest.
    static func text(_ digest: [UInt8]) -> String {
        "sha256//" + Base64.encode(digest)
    }

    /// One pin by its digest in hexadecimal.
    static func text(hexadecimal: String) -> String {
        let digits = Array(hexadecimal.utf8).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return text(
            stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        )
    }

    /// All of a policy's pins; `nil` where nothing is pinned.
    ///
    /// Of pinned certificates the keys are pinned, too: libcurl then keeps connections apart by them. A last pin that
    /// no key has tells certificates of one key apart.
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
