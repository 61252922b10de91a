import CacheClient
import HTTPServing
import HTTPTypes

/// What a request at the gateway asks for.
enum ForwardedRequest {
    /// This, of the origin.
    case forward(ClientRequest)
    /// It is answered here, with a status and a sentence.
    case refuse(Int, String)

    init(_ request: StreamRequest, _ target: TargetRule) {
        guard let method = HTTPRequest.Method(String(decoding: request.method, as: UTF8.self)) else {
            self = .refuse(400, "The method is malformed.")
            return
        }
        switch target.url(of: request, method) {
        case .refused(let status, let reason): self = .refuse(status, reason)
        case .url(let url): self.init(request, method, url)
        }
    }

    private init(_ request: StreamRequest, _ method: HTTPRequest.Method, _ url: String) {
        var fields = HTTPFields()
        for field in request.fields {
            // Any token is a name; what is none was refused while it was read.
            guard let name = HTTPField.Name(String(decoding: field.name, as: UTF8.self)) else { continue }
            fields.append(HTTPField(name: name, lenientValue: field.value))
        }
        fields = PassedFields.of(request: fields, method: method)
        if !request.expectsContinue { fields[.expect] = nil }
        fields.append(HTTPField(name: .via, value: (request.isHTTP11 ? "1.1 " : "1.0 ") + Gateway.pseudonym))
        let forwarded = ClientRequest(forwarding: method, url: url, fields: fields)
        if let problem = forwarded.problem {
            self = .refuse(problem.kind == .unsupportedURL ? 501 : 400, problem.detail)
        } else {
            self = .forward(forwarded)
        }
    }
}
