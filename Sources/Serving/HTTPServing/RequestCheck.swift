import WireSyntax

/// Checks of a request's fields.
struct RequestCheck {
    private(set) var hostCount = 0
    private(set) var length: Int?
    private(set) var problem: RequestProblem?
    /// Whether the request has a transfer coding.
    private(set) var hasCoding = false

    /// Checks one field line.
    mutating func see(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        if !Self.isWellFormed(name: name, value: value) { problem = .malformedField }
        // Switching on the length avoids most comparisons of names.
        switch name.count {
        case 4 where Self.same(name, FieldName.host): seeHost(value)
        case 14 where Self.same(name, FieldName.contentLength): seeLength(value)
        case 17 where Self.same(name, FieldName.transferEncoding): seeCoding(value)
        default: break
        }
    }

    /// Whether a field line of a head or of trailers is well formed (RFC 9110 §5.1, §5.5).
    static func isWellFormed(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> Bool {
        !name.isEmpty && name.allSatisfy(Token.isCharacter) && !value.contains(where: isForbidden)
    }

    /// Returns the problem of the whole head, if there is any.
    func verdict(isHTTP11: Bool, contentLimit: Int) -> RequestProblem? {
        if let problem { return problem }
        if hostCount == 0, isHTTP11 { return .missingHost }
        if hostCount > 1 { return .severalHosts }
        if hasCoding, length != nil { return .lengthAndCoding }
        if let length, length > contentLimit { return .contentTooLarge }
        return nil
    }

    private mutating func seeHost(_ value: UnsafeBufferPointer<UInt8>) {
        hostCount += 1
        if !HostValue.isValid(value) { problem = problem ?? .badHost }
    }

    private mutating func seeLength(_ value: UnsafeBufferPointer<UInt8>) {
        let isNumber = !value.isEmpty && value.count <= 18 && value.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber else { return problem = problem ?? .badLength }
        let number = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        if let length, length != number { problem = .badLength }
        length = number
    }

    private mutating func seeCoding(_ value: UnsafeBufferPointer<UInt8>) {
        // Empty members do not count (RFC 9110 §5.6.1.2).
        let codings = Self.members(of: value).filter { !$0.isEmpty }
        let isChunked = codings.count == 1 && Self.same(codings[0], "chunked")
        if hasCoding || !isChunked { problem = problem ?? .unknownCoding }
        hasCoding = true
    }

    /// Returns the members of a list of tokens.
    static func members(of value: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
        value.split(separator: 0x2C).map { UnsafeBufferPointer(rebasing: $0.trimmingWhitespace) }
    }

    static func same(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount
            && bytes.indices.allSatisfy { bytes[$0].lowercasedASCII == text.utf8Start[$0].lowercasedASCII }
    }

    private static func same(_ bytes: UnsafeBufferPointer<UInt8>, _ text: String) -> Bool {
        bytes.count == text.utf8.count
            && zip(bytes, text.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x09) || byte == 0x7F
    }
}
