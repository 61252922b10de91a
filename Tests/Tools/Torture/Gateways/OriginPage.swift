import Czlib

/// A page of the origin, whose content identifies the page and its version.
struct OriginPage: Sendable, Hashable {
    enum Kind: String, Sendable {
        /// Fresh for an hour.
        case kept
        /// Used only after validation.
        case validated
        /// A variant for every `Accept-Language`.
        case varied
        /// Coded with gzip if the request accepts that.
        case coded
        /// Fresh for a minute, and requested once.
        case passing
        /// Broken off by a reset.
        case reset
        /// Too large for buffers.
        case huge
        /// A variant for every `X-Variant`.
        case flood
    }
    var kind: Kind
    var number: Int
    /// The value of the request's field that the response varies by.
    var variant = ""

    init(_ kind: Kind, _ number: Int, variant: String = "") {
        self.kind = kind
        self.number = number
        self.variant = variant
    }

    /// Parses the page from its path.
    init?(path: some StringProtocol) {
        let parts = path.split(separator: "/")
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let number = Int(parts[1]) else {
            return nil
        }
        self.init(kind, number)
    }

    var path: String { "/\(kind.rawValue)/\(number)" }

    /// Name of the request's field that the response varies by.
    var varyingField: String? {
        switch kind {
        case .varied: "Accept-Language"
        case .coded: "Accept-Encoding"
        case .flood: "X-Variant"
        default: nil
        }
    }

    var cacheControl: String {
        switch kind {
        case .validated: "no-cache"
        case .passing: "max-age=60"
        case .huge: number.isMultiple(of: 2) ? "no-store" : "max-age=3600"
        default: "max-age=3600"
        }
    }

    func entityTag(_ version: Int) -> String {
        variant.isEmpty ? "\"\(version)\"" : "\"\(version)-\(variant)\""
    }

    /// The size of the content without its coding, in bytes.
    var size: Int {
        switch kind {
        case .kept, .validated, .varied: [300, 3_000, 20_000, 70_000, 200_000][number % 5]
        case .coded, .passing: 8_000
        case .reset: 100_000
        case .huge: 8 << 20
        case .flood: 300
        }
    }

    /// Returns the repeated part of a huge page's content.
    func piece(_ version: Int) -> [UInt8] { pattern(version, count: 1 << 16) }

    /// Returns the content of a version.
    func content(_ version: Int) -> [UInt8] {
        if kind == .huge {
            let piece = piece(version)
            return (0..<(size >> 16)).reduce(into: []) { bytes, _ in bytes += piece }
        }
        let text = pattern(version, count: size)
        return variant == "gzip" ? text.inStoredGzip : text
    }

    /// Returns repeating bytes, whose period is not a power of two, so that a misplaced piece is detected.
    private func pattern(_ version: Int, count: Int) -> [UInt8] {
        let name = Array("\(path) \(variant) \(version) ".utf8)
        var block: [UInt8] = []
        while block.count < 1000 { block += name }
        block += Array(UInt8(0)...255)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes += block }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

extension [UInt8] {
    /// These bytes in the format of RFC 1952, uncompressed; at most one block.
    fileprivate var inStoredGzip: [UInt8] {
        precondition(count < 1 << 16)
        let sum = UInt32(crc32(0, self, uInt(count)))
        let length = UInt16(count)
        return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1] + length.bytes + (~length).bytes + self + sum.bytes
            + UInt32(count).bytes
    }
}

extension FixedWidthInteger {
    /// The bytes in little-endian order.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
