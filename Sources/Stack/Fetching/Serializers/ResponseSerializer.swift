public import JSON

/// Decodes a response's content into a value.
public protocol ResponseSerializer: Sendable {
    /// Whether content of a media type, in lower case and without parameters, is decoded; `nil` for content without one.
    func accepts(mediaType: String?) -> Bool

    /// Decodes content; called on an unspecified thread, never on the caller's actor.
    ///
    /// Throws `undecodable` if the content does not match its media type.
    func value(of content: ReceivedContent) throws(FetchError) -> FetchValue
}

/// Received content and the description of it by its header.
public struct ReceivedContent: Sendable {
    /// The media type, lower case and without parameters; `nil` if none is given.
    public var mediaType: String?
    /// The character set of the media type, lower case; `nil` if none is given.
    public var charset: String?
    /// The content, without content coding; never empty.
    public var bytes: [UInt8]
    /// The status code.
    public var status: Int

    /// Creates content; `contentType` is the value of the header field.
    public init(contentType: String?, bytes: [UInt8], status: Int = 200) {
        let parts = (contentType ?? "").split(separator: ";", omittingEmptySubsequences: false)
        let type = parts.first.map { Self.trimmed($0).lowercased() } ?? ""
        mediaType = type.isEmpty ? nil : type
        charset = Self.charset(in: parts.dropFirst())
        self.bytes = bytes
        self.status = status
    }

    private static func charset(in parameters: ArraySlice<Substring>) -> String? {
        for parameter in parameters {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, trimmed(pair[0]).lowercased() == "charset" else { continue }
            return trimmed(pair[1]).lowercased().filter { $0 != "\"" }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let front = text.drop { $0 == " " || $0 == "\t" }
        return front.reversed().drop { $0 == " " || $0 == "\t" }.reversed().reduce(into: Substring()) {
            $0.append($1)
        }
    }
}

/// JSON (RFC 8259): `application/json` and every type that ends in `+json`.
public struct JSONSerializer: ResponseSerializer {
    /// Further media types to accept.
    public var otherTypes: Set<String>
    /// The largest nesting depth of values; default 512.
    public var depthLimit: Int

    /// Creates a serializer.
    public init(
        otherTypes: Set<String> = ["text/json", "text/javascript"],
        depthLimit: Int = JSONLimits.usualDepth
    ) {
        self.otherTypes = otherTypes
        self.depthLimit = depthLimit
    }

    /// Whether the media type is one of JSON.
    public func accepts(mediaType: String?) -> Bool {
        guard let mediaType else { return false }
        return mediaType == "application/json" || mediaType.hasSuffix("+json")
            || otherTypes.contains(mediaType)
    }

    /// Parses the content.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        do throws(JSONProblem) {
            return .json(try JSONValue(parsing: content.bytes, depthLimit: depthLimit))
        } catch {
            throw FetchError(.undecodable, "The content is not JSON. \(error)")
        }
    }
}

/// Text in UTF-8, US-ASCII or ISO-8859-1: `text/…`.
public struct TextSerializer: ResponseSerializer {
    /// Creates a serializer.
    public init() {}

    /// Whether the media type is one of text.
    public func accepts(mediaType: String?) -> Bool { mediaType?.hasPrefix("text/") ?? false }

    /// Decodes the content; throws if the bytes do not match the character set, or the set is not supported.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        switch content.charset ?? "utf-8" {
        case "utf-8", "utf8", "us-ascii", "ascii":
            guard let text = String(validating: content.bytes, as: UTF8.self) else {
                throw FetchError(.undecodable, "The content is not UTF-8.")
            }
            return .text(text)
        case "iso-8859-1", "latin1":
            return .text(String(String.UnicodeScalarView(content.bytes.map { Unicode.Scalar($0) })))
        case let other:
            let expected = "expected utf-8, us-ascii or iso-8859-1"
            throw FetchError(.undecodable, "The character set \"\(other)\" is not supported; \(expected).")
        }
    }
}

/// Returns the bytes of content of any media type.
public struct BytesSerializer: ResponseSerializer {
    /// Creates a serializer.
    public init() {}

    /// Returns `true`.
    public func accepts(mediaType: String?) -> Bool { true }

    /// Returns the content.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue { .bytes(content.bytes) }
}

/// Combines serializers; the first one that accepts the media type and can decode the content is used.
public struct CompoundSerializer: ResponseSerializer {
    /// The serializers in the order in which they are tried.
    public var parts: [any ResponseSerializer]

    /// Creates a serializer.
    public init(_ parts: [any ResponseSerializer]) { self.parts = parts }

    /// Whether one of them accepts the media type.
    public func accepts(mediaType: String?) -> Bool {
        parts.contains { $0.accepts(mediaType: mediaType) }
    }

    /// Returns the value of the first serializer that succeeds; throws the error of the first that accepted
    /// the type.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        var first: FetchError?
        for part in parts where part.accepts(mediaType: content.mediaType) {
            do throws(FetchError) { return try part.value(of: content) } catch { first = first ?? error }
        }
        throw first
            ?? FetchError(
                .unacceptableType,
                "No serializer accepts \(content.mediaType.map { "\"\($0)\"" } ?? "content without a media type")."
            )
    }
}
