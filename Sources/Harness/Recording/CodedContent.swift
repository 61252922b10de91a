import FaultProxy
import HTTPServing
import CacheClient
import HTTPTypes
import MockOrigin
import WireSyntax

/// Content with its content codings (RFC 9110 §8.4), coded and decoded.
struct CodedContent {
    private let body: [UInt8]
    /// The codings in the order of application; `nil` if one is unknown.
    private let wrappers: [Gzip.Wrapper]?
    private let fields: [CapturedExchange.Field]
    /// The maximum size of decoded content.
    ///
    /// An origin may send a megabyte that expands to a thousand.
    private static let largest = 32 << 20

    init(_ body: [UInt8], _ fields: [CapturedExchange.Field]) {
        self.body = body
        self.fields = fields
        wrappers = Self.wrappers(fields.combined(FieldName.contentEncoding) ?? "")
    }

    private static func wrappers(_ value: String) -> [Gzip.Wrapper]? {
        var wrappers: [Gzip.Wrapper] = []
        for name in value.split(whereSeparator: { ", \t".contains($0) }) {
            guard let coding = readable[name.lowercased()] else { return nil }
            if let coding { wrappers.append(coding) }
        }
        return wrappers
    }

    private static let readable: [String: Gzip.Wrapper?] = [
        "gzip": .gzip, "x-gzip": .gzip, "deflate": .zlib, "identity": Gzip.Wrapper?.none,
    ]

    /// Whether all codings are known.
    var isReadable: Bool { wrappers != nil }

    /// The decoded content; `nil` if it cannot be decoded, such as that of a part.
    var plain: [UInt8]? {
        guard let wrappers else { return nil }
        if wrappers.isEmpty || body.isEmpty { return body }
        var head = HTTPResponse(status: .ok)
        for field in fields where field.isNamed(FieldName.contentEncoding) {
            head.headerFields.append(HTTPField(name: .contentEncoding, value: field.value))
        }
        do throws(TransportError) {
            return try ContentDecoder.decode(body, of: head, limit: Self.largest)
        } catch {
            return nil
        }
    }

    /// Returns other content with the same codings.
    func coded(_ content: [UInt8]) -> [UInt8] {
        (wrappers ?? []).reduce(content) { Gzip.compress($0, $1) }
    }

    /// Returns the value of `Accept-Encoding` without codings that cannot be decoded.
    static func readableCodings(_ value: String) -> String {
        let kept = value.split(separator: ",").map(\.trimmingWhitespace).filter { member in
            let name = member.prefix { $0 != ";" && $0 != " " }.lowercased()
            return readable[name] != nil
        }
        return kept.isEmpty ? "identity" : kept.joined(separator: ", ")
    }
}
