public import LocatedYAML
import TextCodings
public import WireSyntax

/// An HTTP archive (HAR 1.2), as browsers and proxies write it; unknown keys are ignored.
public struct HTTPArchive: Sendable {
    /// The entries in the order of the file.
    public let entries: [Entry]

    /// Parses the JSON of an archive; `file` is its name in positions.
    ///
    /// Throws if there is no list of entries, or if one of them is no object.
    public init(json text: String, file: String) throws(YAMLProblems) {
        let root = try YAMLNode.parse(json: text, file: file, size: .archive)
        guard let entries = root.value(of: "log")?.value(of: "entries")?.elements else {
            let expected = "an object with log.entries"
            throw YAMLProblems(root, expected: expected)
        }
        let others = entries.filter { $0.pairs == nil }
        guard others.isEmpty else {
            throw YAMLProblems(
                others.map { Problem(at: $0.position, found: $0.summary, expected: "an entry, as an object") }
            )
        }
        self.entries = entries.map { Entry(node: $0) }
    }

    /// A request and its response.
    public struct Entry: Sendable {
        /// The object in the file.
        public let node: YAMLNode

        /// The request; `nil` if it is absent or not an object.
        public var request: Message? { message("request") }

        /// The response; `nil` if it is absent or not an object.
        public var response: Message? { message("response") }

        /// The value of `startedDateTime`.
        public var started: YAMLNode? { node.value(of: "startedDateTime") }

        /// When the request began, in seconds since 1970-01-01T00:00:00Z; `nil` if that is absent or invalid.
        public var startedAt: Double? { started?.scalarText.flatMap { Timestamp.parse($0) } }

        /// Returns the duration of a phase, such as `wait`, in milliseconds; `nil` if it is unknown.
        public func timing(_ phase: String) -> Double? {
            node.value(of: "timings")?.number(phase).flatMap { $0 < 0 ? nil : $0 }
        }

        private func message(_ key: String) -> Message? {
            node.value(of: key).flatMap { $0.pairs == nil ? nil : Message(node: $0) }
        }
    }

    /// A request or a response.
    public struct Message: Sendable {
        /// The object in the file.
        public let node: YAMLNode

        /// The parts of a request's URL; `nil` unless it is an absolute http or https URL without spaces and controls.
        public var url: URLParts? {
            guard let text = node.value(of: "url")?.scalarText,
                text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let parts = URLParts(text), parts.isHTTP
            else { return nil }
            return parts
        }

        /// The field lines in order, without the pseudo-header fields of HTTP/2.
        ///
        /// Browsers write several lines of a field as one with line feeds, which is split again.
        public var fields: [(name: String, value: String)] {
            (node.value(of: "headers")?.elements ?? []).flatMap { line -> [(name: String, value: String)] in
                guard let name = line.value(of: "name")?.scalarText, Token.isToken(name) else { return [] }
                let value = line.value(of: "value")?.scalarText ?? ""
                return MessageHead.lines(Array(value.utf8)).map { (name, Self.text($0)) }
            }
        }

        /// Returns a field value with spaces in place of NUL and CR, which it must not contain (RFC 9110 §5.5).
        private static func text(_ bytes: ArraySlice<UInt8>) -> String {
            String(decoding: bytes.map { $0 == 0x00 || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
        }

        /// The content of a response.
        public var content: Content { content(of: "content", encoding: "encoding") }

        /// Whether the content of a response still has its content coding, which HAR requires to be removed.
        public var isCoded: Bool {
            node.value(of: "content")?.value(of: HTTPArchive.codedKey)?.scalarText == "true"
        }

        /// The content of a request.
        public var postedContent: Content { content(of: "postData", encoding: HTTPArchive.postedEncoding) }

        private func content(of key: String, encoding: String) -> Content {
            guard let content = node.value(of: key) else { return .bytes([]) }
            guard let text = content.value(of: "text")?.scalarText else {
                return (content.number("size") ?? 0) > 0 ? .omitted : .bytes([])
            }
            guard content.value(of: encoding)?.scalarText == "base64" else { return .bytes(Array(text.utf8)) }
            return Base64.decode(text, skippingBlanks: true).map { .bytes($0) } ?? .malformed(content)
        }
    }

    /// HAR has no mark of content that could not be decoded; this key is our own.
    static let codedKey = "_coded"
    /// HAR has no coding of request content; this key is our own.
    static let postedEncoding = "_encoding"

    /// The content of a message.
    public enum Content: Sendable {
        /// The content; empty if there was none.
        case bytes([UInt8])
        /// The response had content, but the archive does not contain it.
        case omitted
        /// The content at this place is not valid base64.
        case malformed(YAMLNode)
    }
}

extension YAMLNode {
    /// Returns the finite number of a member; `nil` for anything else.
    public func number(_ key: String) -> Double? {
        value(of: key)?.scalarText.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
}
