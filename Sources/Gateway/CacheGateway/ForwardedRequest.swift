import Addresses
import CacheClient
import HTTPServing
import HTTPTypes

/// The handling of a request at the gateway.
enum ForwardedRequest {
    /// Send this request to the origin.
    case forward(ClientRequest)
    /// Respond here, with a status and a sentence.
    case refuse(Int, String)

    init(_ request: StreamRequest, _ target: TargetRule) {
        guard let method = HTTPRequest.Method(String(decoding: request.method, as: UTF8.self)) else {
            self = .refuse(400, "The method is malformed.")
            return
        }
        switch target.outcome(of: request, method) {
        case .refused(let status, let reason): self = .refuse(status, reason)
        case .goes(let destination): self.init(request, method, to: destination, target)
        }
    }

    private init(
        _ request: StreamRequest,
        _ method: HTTPRequest.Method,
        to destination: TargetRule.Destination,
        _ target: TargetRule
    ) {
        var fields = Self.fields(of: request)
        let isUncacheable: Bool
        if destination.isOrigin {
            fields = PassedFields.of(request: fields, method: method, passing: target.passedFields)
            isUncacheable = false
        } else {
            // RFC 9110 §5.1: a proxy forwards fields that it does not know, so their response is not shared.
            fields = PassedFields.endToEnd(fields)
            isUncacheable = fields.contains {
                PassedFields.isOfProxy($0.name, method) && !target.passedFields.contains($0.name)
            }
        }
        let passages = Self.passages(fields)
        if let refusal = Self.refusal(of: method, request, &fields, after: passages) {
            self = refusal
            return
        }
        // RFC 9110 §10.1.1: a client must not expect 100 (Continue) for a request without content.
        if !request.expectsContinue || !request.hasContent { fields[.expect] = nil }
        fields.append(HTTPField(name: .via, value: (request.isHTTP11 ? "1.1 " : "1.0 ") + Gateway.pseudonym))
        var forwarded = Self.request(to: destination, method, fields, target.addresses)
        if isUncacheable { forwarded.isUncacheable = true }
        // In a loop, the exchange that it would wait for is the one that it is part of.
        if passages > 0 { forwarded.isCollapsible = false }
        self = Self.made(forwarded)
    }

    private static func made(_ request: ClientRequest) -> ForwardedRequest {
        guard let problem = request.problem else { return .forward(request) }
        return .refuse(problem.kind == .unsupportedURL ? 501 : 400, problem.detail)
    }

    private static func fields(of request: StreamRequest) -> HTTPFields {
        var fields = HTTPFields()
        for field in request.fields {
            // Any token is a name; anything else was refused by the parser.
            guard let name = HTTPField.Name(String(decoding: field.name, as: UTF8.self)) else { continue }
            fields.append(HTTPField(name: name, lenientValue: field.value))
        }
        return fields
    }

    /// Returns the request to forward; a server that the caller names must be at a permitted address.
    private static func request(
        to destination: TargetRule.Destination,
        _ method: HTTPRequest.Method,
        _ fields: HTTPFields,
        _ addresses: AddressRule
    ) -> ClientRequest {
        var request: ClientRequest
        switch destination {
        case .origin(let url): return ClientRequest(forwarding: method, url: url, fields: fields)
        case .server(let server, let isOrigin):
            request = ClientRequest(forwardingOptionsOf: server, fields: fields)
            if isOrigin { return request }
        case .anybody(let url):
            request = ClientRequest(forwarding: method, url: url, fields: fields, keepsTarget: true)
        }
        request.addresses = addresses
        return request
    }

    /// Returns the reason why the request is not forwarded; decrements its `Max-Forwards`.
    private static func refusal(
        of method: HTTPRequest.Method,
        _ request: StreamRequest,
        _ fields: inout HTTPFields,
        after passages: Int
    ) -> ForwardedRequest? {
        // RFC 9110 §9.3.8: a client must not send content with TRACE.
        if method == .trace, request.hasContent { return .refuse(400, "TRACE must not have content.") }
        // RFC 9110 §7.6.3: a chain may contain several gateways of this name, but not this many.
        if passages >= maximumPasses {
            return .refuse(508, "The request has already passed through this gateway.")
        }
        return passesOnLimit(of: method, &fields) ? nil : answer(toLast: method)
    }

    /// Decrements the number of times that a request may be forwarded; false if it is zero.
    private static func passesOnLimit(of method: HTTPRequest.Method, _ fields: inout HTTPFields) -> Bool {
        // RFC 9110 §7.6.2: the sender of TRACE and OPTIONS limits how often they are forwarded.
        guard method == .trace || method == .options, let text = fields[.maxForwards], !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return true }
        // A larger number than this is the largest that is supported.
        let rest = Int(text) ?? .max
        if rest > 0 { fields[.maxForwards] = String(rest - 1) }
        return rest > 0
    }

    private static func answer(toLast method: HTTPRequest.Method) -> ForwardedRequest {
        method == .options
            ? .refuse(200, "Max-Forwards ends the request at this caching gateway.")
            : .refuse(501, "TRACE is not supported.")
    }

    /// Returns the number of times that the request has passed through a gateway of this name, by its Via.
    private static func passages(_ fields: HTTPFields) -> Int {
        let members = fields[values: .via].flatMap { $0.split(separator: ",") }
        return members.count { $0.contains(Gateway.pseudonym) }
    }

    private static let maximumPasses = 8
}
