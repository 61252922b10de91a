public import CacheClient
public import CacheSemantics
public import Foundation
public import HTTPTypes

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension ClientRequest {
    /// Creates a request for a URL.
    public init(url: URL, method: HTTPRequest.Method = .get, fields: HTTPFields = [:]) {
        self.init(url: url.absoluteString, method: method, fields: fields)
    }

    /// Creates a request from Foundation's: method, URL, fields, content, cache policy and timeout.
    ///
    /// A body stream is read to its end. A field whose name or value is invalid is left out. Without a URL, the request
    /// fails with −1000.
    public init(_ request: URLRequest) {
        var fields = HTTPFields()
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            url: request.url?.absoluteString ?? "",
            method: request.httpMethod.flatMap { HTTPRequest.Method($0) } ?? .get,
            fields: fields,
            body: request.content.map { .bytes($0) },
            policy: RequestCachePolicy(request.cachePolicy),
            timeout: .seconds(request.timeoutInterval)
        )
    }
}

extension RequestCachePolicy {
    /// Creates the policy of the same name; one that Foundation adds later is the protocol's.
    public init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .reloadIgnoringLocalCacheData: self = .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalAndRemoteCacheData: self = .reloadIgnoringLocalAndRemoteCacheData
        case .returnCacheDataElseLoad: self = .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: self = .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: self = .reloadRevalidatingCacheData
        default: self = .useProtocolCachePolicy
        }
    }
}

extension URLRequest {
    /// The content; `nil` if there is none.
    fileprivate var content: [UInt8]? {
        if let httpBody { return Array(httpBody) }
        guard let stream = httpBodyStream else { return nil }
        stream.open()
        defer { stream.close() }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = stream.read(&piece, maxLength: piece.count)
            guard count > 0 else { return content }
            content += piece.prefix(count)
        }
    }
}
