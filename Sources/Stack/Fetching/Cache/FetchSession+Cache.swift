public import HTTPTypes

/// Methods that read, clear and measure the application cache.
extension FetchSession {
    /// Returns the value stored for a URL, a method and exactly these parameters, without a request.
    ///
    /// Returns `nil` if there is no usable entry; an entry that may not be used is removed.
    public func cachedValue(
        _ path: String,
        method: HTTPRequest.Method = .get,
        parameters: Parameters = [:]
    ) async -> FetchValue? {
        let resolved = resolve(FetchRequest(method, path, parameters: parameters), configuration)
        guard let cache else { return nil }
        let lookup = await cache.read(resolved.model.identifier, resolved.context(configuration))
        guard case .hit(let result) = lookup else { return nil }
        return try? result.response(resolved.model, resolved.serializer).value
    }

    /// Returns the values stored for a URL, with any parameters, and with any method if none is given.
    ///
    /// The oldest come first; `nil` if there is no usable entry. Only entries stored for the current identity
    /// are returned.
    public func cachedValues(
        _ path: String,
        method: HTTPRequest.Method? = nil
    ) async throws(FetchError) -> [FetchValue]? {
        let resolved = resolve(FetchRequest(method ?? .get, path), configuration)
        guard let cache else { return nil }
        let asked = resolved.model.identifier
        let found = try await cache.read(
            where: { $0.isOf(asked, method: method != nil) && $0.identity == asked.identity },
            resolved.context(configuration)
        )
        let values = found.compactMap { try? $0.response(resolved.model, resolved.serializer).value }
        return values.isEmpty ? nil : values
    }

    /// Removes the entry for a URL, a method and exactly these parameters; returns `false` if there was none.
    @discardableResult
    public func clearCache(_ path: String, method: HTTPRequest.Method, parameters: Parameters) async -> Bool {
        let request = FetchRequest(method, path, parameters: parameters)
        return await cache?.remove(resolve(request, configuration).model.identifier) ?? false
    }

    /// Removes the entries for a URL and all identities, and for all methods if none is given.
    ///
    /// Returns `false` if there was none.
    @discardableResult
    public func clearCache(_ path: String, method: HTTPRequest.Method? = nil) async throws(FetchError) -> Bool
    {
        let asked = resolve(FetchRequest(method ?? .get, path), configuration).model.identifier
        return try await cache?.remove { $0.isOf(asked, method: method != nil) } ?? 0 > 0
    }

    /// Removes all entries; returns `false` if there was none.
    @discardableResult
    public func clearCache() async throws(FetchError) -> Bool {
        try await cache?.remove { _ in true } ?? 0 > 0
    }

    /// Returns the size of the application cache, including partial downloads; zero without a cache.
    public func cacheSize() async throws(FetchError) -> CacheSize {
        try await cache?.size() ?? CacheSize(files: 0, total: .zero)
    }
}

extension RequestIdentifier {
    /// Whether both identify the same URL and, if it is compared, the same method.
    fileprivate func isOf(_ other: RequestIdentifier, method counts: Bool) -> Bool {
        host == other.host && path == other.path && (!counts || method == other.method)
    }
}
