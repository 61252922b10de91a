import CacheClient
import HTTPTypes

extension ResolvedRequest {
    /// Returns the request as it is sent; created for each attempt, because a stream cannot be sent twice.
    func compose(
        _ configuration: FetchConfiguration,
        after refusal: HTTPResponse?,
        earlierAttempts: Int
    ) throws(FetchError) -> OutgoingRequest {
        if let problem { throw problem }
        let form = form(configuration)
        let content = try content(of: form, configuration)
        var fields = fields
        if let type = content?.type, fields[.contentType] == nil { fields[.contentType] = type }
        let url =
            form.putsParametersIntoURL
            ? configuration.encoding.url(model.url, adding: model.parameters) : model.url
        if let value = authorization(after: refusal, url), fields[.authorization] == nil {
            fields[.authorization] = value
        }
        return OutgoingRequest(
            method: model.method,
            url: url,
            fields: fields,
            body: content?.body ?? Self.emptyBody(of: model.method),
            parameters: model.parameters,
            request: model,
            earlierAttempts: earlierAttempts
        )
    }

    private func authorization(after refusal: HTTPResponse?, _ url: String) -> String? {
        guard let refusal else { return credential?.preemptiveValue }
        return credential?.answer(to: refusal, method: model.method, url: url)
    }

    /// Resolves `parameters` to the form that the method and the configuration require.
    private func form(_ configuration: FetchConfiguration) -> FetchBody {
        guard case .parameters = request.body else { return request.body }
        if configuration.queryMethods.contains(model.method) { return .none }
        return configuration.bodyForm == .json ? .json : .form
    }

    private func content(
        of form: FetchBody,
        _ configuration: FetchConfiguration
    ) throws(FetchError) -> (body: RequestBody, type: String?)? {
        let parameters = model.parameters
        switch form {
        case .parameters, .none: return nil
        case .form:
            guard !parameters.isEmpty else { return nil }
            let text = configuration.encoding.text(of: parameters)
            return (.bytes(Array(text.utf8)), "application/x-www-form-urlencoded")
        case .json:
            guard !parameters.isEmpty else { return nil }
            return (.bytes(Array(parameters.json.compactText.utf8)), "application/json")
        case .jsonValue(let value): return (.bytes(Array(value.compactText.utf8)), "application/json")
        case .bytes(let bytes, let type): return (.bytes(bytes), type)
        case .file(let path, let type): return (.file(path: path), type)
        case .multipart(var body):
            let fields = configuration.encoding.fields(of: parameters)
            body.parts =
                fields.map { .init(name: $0.name, source: .bytes(Array($0.value.utf8))) } + body.parts
            return (try body.requestBody(), body.contentType)
        }
    }

    /// Returns empty content for a method that defines content, so that Content-Length is sent even if there is none (RFC
    /// 9110 §8.6).
    private static func emptyBody(of method: HTTPRequest.Method) -> RequestBody? {
        [.post, .put, .patch].contains(method) ? .bytes([]) : nil
    }
}

extension FetchBody {
    /// Whether the parameters are sent in the URL.
    fileprivate var putsParametersIntoURL: Bool {
        switch self {
        case .parameters, .form, .json, .multipart: false
        case .none, .jsonValue, .bytes, .file: true
        }
    }
}
