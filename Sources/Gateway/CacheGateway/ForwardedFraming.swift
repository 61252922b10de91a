import HTTPTypes

/// The framing that determines the end of a response's content (RFC 9112 §6).
enum ForwardedFraming: Equatable {
    /// No content; `announced` is the length that the origin declared for content that is not sent.
    case noContent(announced: Int?)
    case length(Int)
    case chunked
    case untilClose

    init(method: HTTPRequest.Method, response: HTTPResponse, storedLength: Int?, isHTTP11: Bool) {
        let code = response.status.code
        let announced = Self.length(response.headerFields)
        if code == 204 || code < 200 {
            // RFC 9110 §8.6: these never have a Content-Length, not even to HEAD.
            self = .noContent(announced: nil)
        } else if method == .head || code == 304 {
            self = .noContent(announced: announced)
        } else if let length = storedLength ?? announced {
            self = .length(length)
        } else {
            self = isHTTP11 ? .chunked : .untilClose
        }
    }

    private static func length(_ fields: HTTPFields) -> Int? {
        // RFC 9112 §6.3: Content-Length is ignored if there is a transfer coding.
        guard !fields.contains(.transferEncoding) else { return nil }
        // RFC 9112 §6.3: a list of equal values, which the transport has compared, is one value.
        let first = fields[values: .contentLength].first?.prefix { $0 != "," }
        return first.flatMap { Int($0.filter { $0 != " " && $0 != "\t" }) }.flatMap { $0 < 0 ? nil : $0 }
    }

    func add(to text: inout ResponseText) {
        switch self {
        case .noContent(let announced): if let announced { text.add(.contentLength, number: announced) }
        case .length(let length): text.add(.contentLength, number: length)
        case .chunked: text.add(.transferEncoding, "chunked")
        case .untilClose: break
        }
    }
}
