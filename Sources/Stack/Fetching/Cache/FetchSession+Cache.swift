public import HTTPTypes

/// What the application cache holds for a session's requests: read, clear, measure.
extension FetchSession {
    /// The value stored for a URL, a method and exactly these parameters, without any request; `nil` where none may be
    /// used, which is then removed.
    public func cachedValue(
        _ path: String,
        method: HTTPRequest.Method = .get,
        parameters: Parameters = [:]
    ) async -> FetchValue? {
        let resolved = resolve(FetchRequest(method, path, parameters: parameters), configuration)
        guard let cache else { return nil }
        let reading = await cache.read(resolved.model.identifier, resolved.context(configuration))
        guard case .hit(let result) = reading else { return nil }
        return try? result.response(resolved.model, resolved.serializer).value
    }

    /// The values stored for a URL, whatever the parameters, and whatever the method where none is given.
    ///
    /// The oldest first; `nil` where none may be used. Only what was stored for the present asker counts.
    public func cachedValues(
        _ path: String,
        method: HTTPRequest.Method? = nil
    ) async throws(FetchError) -> [FetchValue]? {
        let resolved = resolve(FetchRequest(method ?? .get, path), configuration)
        guard let cache else { return nil }
        let asked = resolved.model.identifier
        let found = try await cache.read(
            where: { $0.isOf(asked, method: method != nil) && $0.asker == asked.asker },
            resolved.context(configuration)
        )
        let values = found.compactMap { try? $0.response(resolved.model, resolved.serializer).value }
        return values.isEmpty ? nil : values
    }

    /// Removes what is stored for a URL, a method and exactly these parameters; false where there was nothing.
    @discardableResult
    public func clearCache(
        _ path: String,
        method: HTTPRequest.Method,
        parameters: Parameters
    ) async -> Bool {
        let request = FetchRequest(method, path, parameters: parameters)
        return await cache?.remove(resolve(request, configuration).model.identifier) ?? false
    }

    /// Removes what is stored for a URL, whoever asked, and whatever the method where none is given; false where there
    /// was nothing.
    @discardableResult
    public func clearCache(_ path: String, method: HTTPRequest.Method? = nil) async throws(FetchError) -> Bool
    {
        let asked = resolve(FetchRequest(method ?? .get, path), configuration).model.identifier
        return try await cache?.remove { $0.isOf(asked, method: method != nil) } ?? 0 > 0
    }

    /// Removes everything that is stored; false where there was nothing.
    @discardableResult
    public func clearCache() async throws(FetchError) -> Bool {
        try await cache?.remove { _ in true } ?? 0 > 0
    }

    /// How much the application cache takes up, unfinished downloads included; nothing where there is no cache.
    public func cacheSize() async throws(FetchError) -> CacheSize {
        try await cache?.size() ?? CacheSize(files: 0, bytes: 0)
    }
}

extension RequestIdentifier {
    /// Whether both are of one URL, and of one method where that counts.
    fileprivate func isOf(_ other: RequestIdentifier, method counts: Bool) -> Bool {
        host == other.host && path == other.path && (!counts || method == other.method)
    }
}
