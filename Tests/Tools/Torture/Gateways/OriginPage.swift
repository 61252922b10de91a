import Czlib

/// Something that the origin serves, whose content tells what it is and which version of it.
struct OriginPage: Sendable, Hashable {
    enum Kind: String, Sendable {
        /// Fresh for an hour.
        case kept
        /// Used after validation only.
        case validated
        /// One for every `Accept-Language`.
        case varied
        /// Coded with gzip where the request accepts that.
        case coded
        /// Fresh for a minute, and asked for once.
        case passing
        /// Broken off by a reset.
        case reset
        /// Too large for buffers.
        case huge
        /// One for every `X-Variant`.
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

    /// Reads the page from its path.
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

    /// Bytes of the content without its coding.
    var size: Int {
        switch kind {
        case .kept, .validated, .varied: [300, 3_000, 20_000, 70_000, 200_000][number % 5]
        case .coded, .passing: 8_000
        case .reset: 100_000
        case .huge: 8 << 20
        case .flood: 300
        }
    }

    /// What the content of a huge page repeats.
    func piece(_ version: Int) -> [UInt8] { pattern(version, count: 1 << 16) }

    /// The content of a version.
    func content(_ version: Int) -> [UInt8] {
        if kind == .huge {
            let piece = piece(version)
            return (0..<(size >> 16)).reduce(into: []) { bytes, _ in bytes += piece }
        }
        let text = pattern(version, count: size)
        return variant == "gzip" ? text.inStoredGzip : text
    }

    /// Bytes that repeat, whose period is no power of two, so that a piece in another's place is noticed.
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
    /// These bytes in the form of RFC 1952, uncompressed; no more than a block takes.
    fileprivate var inStoredGzip: [UInt8] {
        precondition(count < 1 << 16)
        let sum = UInt32(crc32(0, self, uInt(count)))
        let length = UInt16(count)
        return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1] + length.bytes + (~length).bytes + self + sum.bytes
            + UInt32(count).bytes
    }
}

extension FixedWidthInteger {
    /// The bytes, the lowest first.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
