import CacheClient
import HTTPTypes

/// A request with the configuration's defaults applied.
struct ResolvedRequest: Sendable {
    let request: FetchRequest
    let model: RequestModel
    let fields: HTTPFields
    let credential: Credential?
    let serializer: any ResponseSerializer
    /// A digest of the configuration's default parameters, for the application cache.
    let defaults: String
    /// The reason why the request cannot be sent; `nil` if it can.
    let problem: FetchError?
}

extension FetchSession {
    /// Applies the configuration's defaults to a request.
    func resolve(_ request: FetchRequest, _ configuration: FetchConfiguration) -> ResolvedRequest {
        let (base, problem) = base(of: request, configuration)
        let url = base.isEmpty ? request.path : RequestURL.join(base, request.path)
        let fields = Self.merged(configuration.defaultFields, request.fields)
        let credential = request.credential ?? configuration.credential
        var model = RequestModel(
            id: nextID(),
            kind: request.kind,
            method: request.method,
            path: request.path,
            baseURL: base,
            url: url,
            ownParameters: request.parameters,
            parameters: request.parameters.over(configuration.defaultParameters),
            loadsCache: request.loadsCache,
            cacheDuration: request.cacheDuration,
            identifier: RequestIdentifier(
                base: base,
                path: request.path,
                method: request.method.rawValue,
                parameters: request.parameters,
                identity: configuration.partitionsByIdentity
                    ? identity(url, credential, request.fields, configuration) : nil
            )
        )
        model.tag = request.tag
        return ResolvedRequest(
            request: request,
            model: model,
            fields: fields,
            credential: credential,
            serializer: request.serializer ?? configuration.serializer,
            defaults: Self.digest(configuration.defaultParameters),
            problem: problem
        )
    }

    private func base(
        of request: FetchRequest,
        _ configuration: FetchConfiguration
    ) -> (url: String, problem: FetchError?) {
        if RequestURL.isAbsolute(request.path) { return ("", nil) }
        let base: String
        switch request.base {
        case .default: base = configuration.baseURL
        case .url(let url): base = url
        case .named(let name):
            guard let url = configuration.namedBaseURLs[name] else {
                return ("", FetchError(.badRequest, "There is no base URL named \"\(name)\"."))
            }
            base = url
        }
        guard base.isEmpty else { return (base, nil) }
        return ("", FetchError(.badRequest, "\"\(request.path)\" is relative, and there is no base URL."))
    }

    /// Returns the default fields and the request's own, which replace defaults of the same name.
    static func merged(_ defaults: HTTPFields, _ own: HTTPFields) -> HTTPFields {
        var fields = HTTPFields()
        for field in defaults where !own.contains(field.name) { fields.append(field) }
        for field in own { fields.append(field) }
        return fields
    }

    /// Returns everything that identifies the client: default fields, credentials and cookies; `nil` if there
    /// is none.
    private func identity(
        _ url: String,
        _ credential: Credential?,
        _ own: HTTPFields,
        _ configuration: FetchConfiguration
    ) -> String? {
        var lines = configuration.defaultFields.filter { !own.contains($0.name) }.map(Self.line)
        lines += own.filter { Self.identifiesClient($0.name, configuration) }.map(Self.line)
        if let credential { lines.append(credential.identity) }
        if let cookies = cookies?.field(for: url) { lines.append(cookies) }
        return lines.isEmpty ? nil : lines.sorted().joined(separator: "\n")
    }

    private static func line(_ field: HTTPField) -> String { field.name.canonicalName + ": " + field.value }

    /// Whether one of the request's own fields identifies the client: it carries credentials, or replaces a
    /// default field.
    private static func identifiesClient(_ name: HTTPField.Name, _ configuration: FetchConfiguration) -> Bool
    {
        name == .authorization || name == .cookie || name == .proxyAuthorization
            || configuration.defaultFields.contains(name)
    }

    static func digest(_ defaults: Parameters) -> String {
        defaults.isEmpty ? "" : MessageDigest.md5(defaults.json.compactText)
    }
}
