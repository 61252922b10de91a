public import CacheClient
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension ClientResponse {
    /// The content as `Data`.
    public var data: Data { Data(body) }

    /// The head in Foundation's form; `nil` if the URL is none for Foundation.
    ///
    /// Field lines of the same name are joined with a comma, because Foundation has one value for a name.
    public var httpURLResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        var fields: [String: String] = [:]
        for name in Set(headerFields.map(\.name)) { fields[name.rawName] = headerFields[name] }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    /// Decodes the content, which must be JSON, as a type.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: data)
    }
}

extension CachingClient {
    /// Returns content and head for a request, like the method of `URLSession` with this name.
    ///
    /// Throws `ClientError` if there is no response, and `URLError(.badURL)` if its URL is none for Foundation.
    public nonisolated(nonsending) func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse)
    {
        let response = try await fetch(ClientRequest(request))
        guard let head = response.httpURLResponse else { throw URLError(.badURL) }
        return (response.data, head)
    }

    /// Returns content and head of a resource, like the method of `URLSession` with this name.
    public nonisolated(nonsending) func data(from url: URL) async throws -> (Data, HTTPURLResponse) {
        try await data(for: URLRequest(url: url))
    }

    /// Removes the responses stored later than a date, like the method of `URLCache` with this name.
    @discardableResult
    public func removeCachedResponses(since date: Date) -> ChangeOutcome {
        removeCachedResponses(since: date.timeIntervalSince1970)
    }
}
