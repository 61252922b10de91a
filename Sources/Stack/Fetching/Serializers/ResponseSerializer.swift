public import JSON

/// What makes a value of a response's content.
public protocol ResponseSerializer: Sendable {
    /// Whether it takes content of a media type, lower case and without parameters; `nil` where none is given.
    func accepts(mediaType: String?) -> Bool

    /// Makes a value of content; called on no particular thread, never the caller's actor.
    ///
    /// Throws `undecodable` where the content is not what its media type says.
    func value(of content: ReceivedContent) throws(FetchError) -> FetchValue
}

/// Content that has come, and what its header says of it.
public struct ReceivedContent: Sendable {
    /// The media type, lower case and without parameters; `nil` where none is given.
    public var mediaType: String?
    /// The character set of the media type, lower case; `nil` where none is given.
    public var charset: String?
    /// The content, decoded; never empty.
    public var bytes: [UInt8]
    /// The status.
    public var status: Int

    /// Creates content; `contentType` is the header field.
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
    /// Media types besides.
    public var otherTypes: Set<String>
    /// How deep values may be nested; default 512.
    public var depthLimit: Int

    /// Creates a serializer.
    public init(
        otherTypes: Set<String> = ["text/json", "text/javascript"],
        depthLimit: Int = JSONLimits.usualDepth
    ) {
        self.otherTypes = otherTypes
        self.depthLimit = depthLimit
    }

    /// Whether the type is JSON's.
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

    /// Whether the type is one of text.
    public func accepts(mediaType: String?) -> Bool { mediaType?.hasPrefix("text/") ?? false }

    /// Decodes the content; throws for bytes that are not of the character set, and for other sets.
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
            throw FetchError(
                .undecodable,
                "The character set \"\(other)\" is not known: utf-8, us-ascii and iso-8859-1 are."
            )
        }
    }
}

/// Bytes as they come, whatever their type.
public struct BytesSerializer: ResponseSerializer {
    /// Creates a serializer.
    public init() {}

    /// True.
    public func accepts(mediaType: String?) -> Bool { true }

    /// The content itself.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue { .bytes(content.bytes) }
}

/// Several serializers, of which the first that takes the media type and can read the content answers.
public struct CompoundSerializer: ResponseSerializer {
    /// Those that are asked, in order.
    public var parts: [any ResponseSerializer]

    /// Creates a serializer.
    public init(_ parts: [any ResponseSerializer]) { self.parts = parts }

    /// Whether one of them takes it.
    public func accepts(mediaType: String?) -> Bool {
        parts.contains { $0.accepts(mediaType: mediaType) }
    }

    /// What the first that can makes of it; throws what the first that took the type had to say.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        var first: FetchError?
        for part in parts where part.accepts(mediaType: content.mediaType) {
            do throws(FetchError) {
                return try part.value(of: content)
            } catch {
                first = first ?? error
            }
        }
        throw first
            ?? FetchError(
                .unacceptableType,
                "No serializer takes \(content.mediaType.map { "\"\($0)\"" } ?? "content without a media type")."
            )
    }
}
