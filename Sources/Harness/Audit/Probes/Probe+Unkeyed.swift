import CacheSemantics
import HTTPTypes

extension Probe {
    /// Fields that change a shared response although they are not part of the cache key.
    ///
    /// The target has a query parameter that is made up for the audit, so that no cache on the way stores what such a
    /// request gets under the URL of others.
    static let unkeyed: [Probe] = [
        fieldProbe("unkeyed-fields", names: forwarded) { "cachecheck-\($0)-\($1).invalid" },
        fieldProbe("rewriting-fields", names: rewriting) { "/cachecheck-\($0)-\($1)" },
        Probe(
            name: "origin",
            rules: ["origin-without-vary"],
            skip: { $0.browser.isReused || $0.shared.isReused ? nil : "no cache uses the response again" },
            request: { separated($0, [.origin: origin($0)]) },
            judge: { context, answer in
                guard let name = HTTPField.Name("Access-Control-Allow-Origin"),
                    answer.fields[name] == origin(context), !nominates(answer, .origin)
                else { return .satisfied }
                return .violates(
                    "origin-without-vary",
                    "Access-Control-Allow-Origin repeats the request's Origin without Vary: Origin, so caches "
                        + "send one site's permission to another"
                )
            }
        ),
    ]

    private static func origin(_ context: ProbeContext) -> String {
        "https://cachecheck-\(context.token).invalid"
    }

    private static func fieldProbe(
        _ name: String,
        names: [HTTPField.Name],
        value: @escaping @Sendable (String, Int) -> String
    ) -> Probe {
        Probe(
            name: name,
            rules: ["unkeyed-field"],
            skip: { context in
                context.shared.useSeconds > 0 || context.shared.next == .validation
                    ? nil : "no shared cache uses the response again"
            },
            request: { context in
                let pairs = names.indices.map { (names[$0], value(context.token, $0)) }
                return separated(context, Dictionary(pairs) { first, _ in first })
            },
            judge: { context, answer in
                let text = text(of: answer)
                let reflected = names.indices.filter { index in
                    !nominates(answer, names[index]) && text.contains(value(context.token, index))
                }
                return ProbeVerdict(
                    observations: reflected.map { index in
                        Observation(
                            "unkeyed-field",
                            "the value of \(names[index].rawName) is in the response, which shared caches send to "
                                + "all: neither is it part of the cache key, nor is it in Vary"
                        )
                    }
                )
            }
        )
    }

    static func separated(_ context: ProbeContext, _ fields: [HTTPField.Name: String]) -> HTTPRequest {
        var request = context.request(fields)
        let path = request.path ?? "/"
        request.path = path + (path.contains("?") ? "&" : "?") + "cachecheck=\(context.token)"
        return request
    }

    /// The fields and the decoded content, up to a size that pages do not exceed.
    private static func text(of answer: AuditedExchange) -> String {
        let fields = answer.fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return fields
            + String(decoding: (answer.decodedContent ?? answer.content).prefix(1 << 20), as: UTF8.self)
    }

    /// Fields that frameworks use to form absolute URLs, or to identify the client.
    private static let forwarded = [
        "X-Forwarded-Host", "X-Forwarded-Server", "X-Forwarded-Proto", "X-Forwarded-Scheme",
        "X-Forwarded-Prefix", "X-Forwarded-For", "X-Forwarded-Path", "X-Forwarded-Port", "X-Host",
        "X-Original-Host", "X-HTTP-Host-Override", "X-Backend-Host", "X-Real-IP", "X-Client-IP",
        "True-Client-IP", "CF-Connecting-IP", "X-Cluster-Client-IP", "X-Wap-Profile", "X-Requested-With",
        "X-Forwarded-Proto-Version", "X-Amz-Website-Redirect-Location",
    ].compactMap { HTTPField.Name($0) }

    /// Fields by which some servers replace the target.
    private static let rewriting = ["X-Original-URL", "X-Rewrite-URL", "X-Override-URL"].compactMap {
        HTTPField.Name($0)
    }
}
