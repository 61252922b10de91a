import WireSyntax

/// A request as it was received.
public struct ServedRequest: Sendable, Hashable {
    /// The method in its original case.
    public var method: String
    /// The request target as it was sent, not decoded.
    public var target: String
    /// The field lines in their original order.
    public var fields: [ServedField]
    /// The content without chunked coding.
    public var body: [UInt8]
    /// Whether the version is HTTP/1.1; otherwise it is HTTP/1.0.
    public var isHTTP11: Bool
    /// Port of the client; 0 without a connection.
    package var peerPort: UInt16 = 0
    /// Number of the connection, from 1, in the order of acceptance; unique for the server.
    public var connection: UInt64 = 0
    /// The number of earlier requests on the connection.
    public var requestsBefore = 0
    /// Whether the connection is closed after the response, because pipelined requests were lost.
    public var endsConnection = false
    /// The result of the TLS handshake; `nil` without TLS.
    public var tls: TLSFacts?

    /// Creates a request without a connection; by default without fields and content.
    public init(
        method: String,
        target: String,
        fields: [ServedField] = [],
        body: [UInt8] = [],
        isHTTP11: Bool = true
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.isHTTP11 = isHTTP11
    }
}

/// One field line.
public struct ServedField: Sendable, Hashable {
    /// Name, in the case it was sent in.
    public var name: String
    /// Value without surrounding whitespace.
    public var value: String
    /// Whether the value was decoded as ISO-8859-1, because its bytes are not UTF-8.
    public var isLatin1: Bool

    /// Creates a field line.
    public init(_ name: String, _ value: String, isLatin1: Bool = false) {
        self.name = name
        self.value = value
        self.isLatin1 = isLatin1
    }

    /// The value's bytes decoded as ISO-8859-1.
    public var latin1Value: String {
        isLatin1 ? value : String(String.UnicodeScalarView(value.utf8.map { Unicode.Scalar($0) }))
    }

    /// Parses the lines of a `RequestHead`, each of which ends in CRLF.
    public static func lines(_ bytes: ArraySlice<UInt8>) -> [ServedField] {
        bytes.split(separator: 0x0A).compactMap { line in
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let field = MessageHead.field(line) else { return nil }
            return ServedField(String(decoding: field.name, as: UTF8.self), bytes: field.value)
        }
    }

    /// Creates a field line from the bytes of its value.
    ///
    /// RFC 9110 §5.5: values were historically ISO-8859-1, which is assumed if they are not UTF-8.
    public init(_ name: String, bytes value: some Collection<UInt8>) {
        if let text = String(validating: value, as: UTF8.self) {
            self.init(name, text)
        } else {
            let text = String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
            self.init(name, text, isLatin1: true)
        }
    }
}

extension [ServedField] {
    /// Returns the values of all lines of a name, combined with commas (RFC 9110 §5.3); `nil` if there is none.
    public func combined(_ name: String) -> String? {
        let values = lines(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the values of all lines of a name in order; names are case-insensitive.
    public func lines(_ name: String) -> [String] {
        filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }
}

extension StringProtocol {
    /// Returns whether two texts are equal, ignoring the case of ASCII letters.
    @inlinable
    public func isSameFieldName(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    /// The byte, with upper-case ASCII letters converted to lower case.
    @inlinable
    public var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
