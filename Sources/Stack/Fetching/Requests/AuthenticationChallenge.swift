import HTTPTypes

/// A challenge of a server (RFC 9110 §11.6.1): a scheme with its parameters.
struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme, lower case.
    let scheme: String
    /// The parameters by lower-case name; the first of several with the same name is used.
    private(set) var parameters: [String: String] = [:]

    /// Parses the challenges of WWW-Authenticate, in order; skips what cannot be parsed.
    static func all(in fields: HTTPFields) -> [AuthenticationChallenge] {
        var reader = ChallengeReader(fields[values: .wwwAuthenticate].joined(separator: ", "))
        var challenges: [AuthenticationChallenge] = []
        while let part = reader.next() {
            switch part {
            case .scheme(let name): challenges.append(AuthenticationChallenge(scheme: name.lowercased()))
            case .parameter(let name, let value):
                challenges.indices.last.map { challenges[$0].add(name.lowercased(), value) }
            }
        }
        return challenges
    }

    private mutating func add(_ name: String, _ value: String) {
        if parameters[name] == nil { parameters[name] = value }
    }
}

/// Reads schemes and parameters one by one; the grammar distinguishes them only by what follows.
private struct ChallengeReader {
    enum Part {
        case scheme(String)
        case parameter(String, String)
    }
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> Part? {
        while true {
            skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
            let name = take(Self.isTokenByte)
            guard !name.isEmpty else {
                // Skip a quoted string that belongs to no parameter.
                if peek == UInt8(ascii: "\"") { _ = quoted() }
                guard place < bytes.count else { return nil }
                place += 1
                continue
            }
            skip(Self.isSpace)
            guard peek == UInt8(ascii: "=") else { return .scheme(name) }
            place += 1
            skip(Self.isSpace)
            if peek == UInt8(ascii: "\"") { return .parameter(name, quoted()) }
            let value = take(Self.isTokenByte)
            if !value.isEmpty { return .parameter(name, value) }
            // Skip the padding of base64 credentials, which are not a parameter.
            skip { $0 == UInt8(ascii: "=") }
        }
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skip(_ matches: (UInt8) -> Bool) { _ = take(matches) }

    private mutating func take(_ matches: (UInt8) -> Bool) -> String {
        let start = place
        while let byte = peek, matches(byte) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func quoted() -> String {
        var text: [UInt8] = []
        place += 1
        while let byte = peek, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), place + 1 < bytes.count { place += 1 }
            text.append(bytes[place])
            place += 1
        }
        // Skip the closing quotation mark, if there is one.
        place = min(place + 1, bytes.count)
        return String(decoding: text, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether a byte belongs to a token (RFC 9110 §5.6.2) or to base64, so that the credentials of a scheme are one
    /// token.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~/".utf8.contains(byte)
        }
    }
}
