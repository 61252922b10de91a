import WireSyntax

/// A request as it was received.
public struct ServedRequest: Sendable, Hashable {
    /// Method, in the case it was sent in.
    public var method: String
    /// Request target as it was sent, nothing decoded.
    public var target: String
    /// Field lines in the order they were sent.
    public var fields: [ServedField]
    /// Content, with any chunked coding removed.
    public var body: [UInt8]
    /// Whether the request is of HTTP/1.1; else of HTTP/1.0.
    public var isHTTP11: Bool
    /// Port of the other end of the connection; 0 where there is no connection.
    public var peerPort: UInt16
    /// Number of the connection, from 1, in the order they were accepted; unique for the server.
    public var connection: UInt64
    /// How many requests came before on the same connection.
    public var requestsBefore: Int
    /// Whether the connection ends with the answer, because what the client sent ahead of it cannot be kept.
    public var endsConnection: Bool
    /// What the TLS handshake has come to; `nil` where there was none.
    public var tls: TLSFacts?

    /// Creates a request; by default one without fields or content that came on no connection.
    public init(
        method: String,
        target: String,
        fields: [ServedField] = [],
        body: [UInt8] = [],
        isHTTP11: Bool = true,
        peerPort: UInt16 = 0,
        connection: UInt64 = 0,
        requestsBefore: Int = 0,
        endsConnection: Bool = false,
        tls: TLSFacts? = nil
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.isHTTP11 = isHTTP11
        self.peerPort = peerPort
        self.connection = connection
        self.requestsBefore = requestsBefore
        self.endsConnection = endsConnection
        self.tls = tls
    }
}

/// One field line.
public struct ServedField: Sendable, Hashable {
    /// Name, in the case it was sent in.
    public var name: String
    /// Value without surrounding whitespace.
    public var value: String
    /// Whether the value was sent in ISO-8859-1, because its bytes are no UTF-8.
    public var isLatin1: Bool

    /// Creates a field line.
    public init(_ name: String, _ value: String, isLatin1: Bool = false) {
        self.name = name
        self.value = value
        self.isLatin1 = isLatin1
    }

    /// The value's bytes, each read as one character of ISO-8859-1.
    public var latin1Value: String {
        isLatin1 ? value : String(String.UnicodeScalarView(value.utf8.map { Unicode.Scalar($0) }))
    }

    /// Reads the lines of a `RequestHead`, each of which ends in CRLF.
    public static func lines(_ bytes: ArraySlice<UInt8>) -> [ServedField] {
        MessageHead.lines(bytes).compactMap { line in
            guard let field = MessageHead.field(line) else { return nil }
            return ServedField(String(decoding: field.name, as: UTF8.self), bytes: field.value)
        }
    }

    /// Creates a field line from the bytes of its value.
    ///
    /// RFC 9110 §5.5: what is no UTF-8 comes from the time when values were ISO-8859-1.
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
    /// Returns the values of all lines of a name joined by a comma, RFC 9110 §5.3; `nil` when there is none.
    public func combined(_ name: String) -> String? {
        let values = lines(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the values of all lines of a name in order; names are compared without case.
    public func lines(_ name: String) -> [String] {
        filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }
}

extension StringProtocol {
    /// Returns whether two texts are equal but for the case of ASCII letters.
    @inlinable
    public func isSameFieldName(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    /// The byte, an upper-case ASCII letter made lower-case.
    @inlinable
    public var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
