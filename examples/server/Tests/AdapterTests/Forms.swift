import Conformance
import Hummingbird
import NIOCore

extension HTTPRequest {
    /// The request in the engine's form, without content.
    init(_ request: SubjectRequest) {
        let parts = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        self.init(
            method: Method(request.method) ?? .get,
            scheme: String(parts[0].dropLast()),
            authority: parts.count > 2 ? String(parts[2]) : "",
            path: parts.count > 3 ? "/" + parts[3].prefix { $0 != "#" } : "/",
            headerFields: request.headerFields
        )
    }
}

extension SubjectRequest {
    /// A handler's request, with its content, in the form that is sent.
    init(_ head: HTTPRequest, _ content: [UInt8]) {
        let url = "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")"
        self.init(method: head.method.rawValue, url: url, body: content.isEmpty ? nil : content)
        headerFields = head.headerFields
    }
}

extension ResponseBody {
    /// All of the content.
    var collected: [UInt8] {
        get async throws {
            let collector = Collector()
            try await write(collector)
            return collector.content
        }
    }
}

/// Collects content; used by one task only.
private final class Collector: ResponseBodyWriter {
    private(set) var content: [UInt8] = []

    func write(_ buffer: ByteBuffer) { content.append(contentsOf: buffer.readableBytesView) }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
