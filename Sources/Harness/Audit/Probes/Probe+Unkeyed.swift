import CacheSemantics
import HTTPTypes

extension Probe {
    /// Fields that change a shared response although they are not part of the cache key.
    ///
    /// The target has a query parameter that is made up for the audit, so that no cache on the way stores what such a
    /// request gets under the URL of others.
    static let unkeyed: [Probe] =
        fieldSets.map(fieldProbe) + [
            withoutFields, fieldsAgain,
            Probe(
                name: "origin",
                rules: ["origin-without-vary"],
                skip: {
                    $0.browser.isReused || $0.shared.isReused ? nil : "no cache uses the response again"
                },
                request: { separated($0, [.origin: origin($0)], "origin") },
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

    /// Fields that one probe sends.
    private struct FieldSet: Sendable {
        let probe: String
        let names: [HTTPField.Name]
        /// Returns the value of the field at an index.
        let value: @Sendable (ProbeContext, Int) -> String

        init(
            _ probe: String,
            _ names: [String],
            _ value: @escaping @Sendable (ProbeContext, Int) -> String
        ) {
            (self.probe, self.names, self.value) = (probe, names.compactMap { HTTPField.Name($0) }, value)
        }

        /// Returns the fields with their values.
        func fields(_ context: ProbeContext) -> [HTTPField.Name: String] {
            Dictionary(names.indices.map { (names[$0], value(context, $0)) }) { first, _ in first }
        }
    }

    private static func fieldProbe(_ set: FieldSet) -> Probe {
        Probe(
            name: set.probe,
            rules: ["unkeyed-field"],
            skip: unshared,
            request: { separated($0, set.fields($0), set.probe) },
            judge: { context, answer in
                let text = text(of: answer)
                let reflected = set.names.indices.filter { index in
                    let value = set.value(context, index)
                    return value.contains(context.token) && text.contains(value)
                        && !nominates(answer, set.names[index])
                }
                return ProbeVerdict(
                    observations: reflected.map { index in
                        Observation(
                            "unkeyed-field",
                            "the value of \(set.names[index].rawName) is in the response, which shared caches send "
                                + "to all: neither is it part of the cache key, nor is it in Vary"
                        )
                    }
                )
            }
        )
    }

    private static let unshared: @Sendable (ProbeContext) -> String? = { context in
        context.shared.useSeconds > 0 || context.shared.next == .validation
            ? nil : "no shared cache uses the response again"
    }

    /// A request without the fields, made if an answer to them differs from the first.
    private static let withoutFields = Probe(
        name: "without-fields",
        rules: ["unkeyed-field"],
        skip: { context in
            if let reason = unshared(context) { return reason }
            // A field that is repeated in the response is the finding already.
            let isKnown = context.violated.contains("unkeyed-field")
            return isKnown || changed(context).isEmpty ? "no such field changes what is shared" : nil
        },
        request: { separated($0, [:], "without-fields") },
        judge: { _, answer in
            answer.status == 200 ? .satisfied : .unknown("the answer has status \(answer.status)")
        }
    )

    /// The fields once more, for another target: what is chosen at random for each request is seldom the same again.
    private static let fieldsAgain = Probe(
        name: "fields-again",
        rules: ["unkeyed-field"],
        skip: { suspected($0) == nil ? "no such field changes what is shared" : nil },
        request: { separated($0, suspected($0)?.set.fields($0) ?? [:], "fields-again") },
        judge: { context, answer in
            guard let (set, earlier) = suspected(context), answer.status == earlier.status,
                answer.status != 200 || answer.decodedIdentity == earlier.decodedIdentity
            else { return .unknown("the same fields got another answer") }
            return ProbeVerdict(observations: [dependence(set, answer, context)])
        }
    )

    /// Returns the fewest fields that changed what is shared, if a request without them got the first answer again.
    private static func suspected(_ context: ProbeContext) -> (set: FieldSet, answer: AuditedExchange)? {
        guard let plain = context.answers["without-fields"], plain.status == 200 else { return nil }
        let changed = changed(context).filter {
            $0.answer.status != 200 || isEqual(context, plain) == true
        }
        return changed.min { $0.set.names.count < $1.set.names.count }
    }

    /// Returns the answers to made-up fields that differ from the first and that shared caches use for requests without
    /// these fields.
    private static func changed(_ context: ProbeContext) -> [(set: FieldSet, answer: AuditedExchange)] {
        // Content that is chosen at random may be the same twice.
        let isSteady = context.similar.allSatisfy { isEqual(context, $0) != false }
        return fieldSets.compactMap { set in
            guard let answer = context.answers[set.probe], sharedSeconds(answer) > 0,
                !set.names.contains(where: { nominates(answer, $0) })
            else { return nil }
            let isOther = isSteady && isEqual(context, answer) == false
            return answer.status != 200 || isOther ? (set, answer) : nil
        }
    }

    private static func dependence(_ set: FieldSet, _ answer: AuditedExchange, _ context: ProbeContext)
        -> Observation
    {
        let found = answer.status == 200 ? "other content" : "a \(answer.status)"
        return Observation(
            "unkeyed-field",
            "a request with \(text(set, context)) got \(found), which shared caches send to all for "
                + "\(ByteText.seconds(sharedSeconds(answer))): these fields are neither part of the cache key, "
                + "nor in Vary"
        )
    }

    private static func sharedSeconds(_ answer: AuditedExchange) -> Int64 {
        max(CacheOutcome(answer.explained, in: .shared).useSeconds, answer.network?.useSeconds ?? 0)
    }

    /// Returns the fields of a request, only the first if there are many, without values that differ from audit to audit.
    private static func text(_ set: FieldSet, _ context: ProbeContext) -> String {
        let shown = set.names.count > 6 ? 2 : set.names.count
        let fields = set.names.indices.prefix(shown).map { index in
            let value = set.value(context, index)
            return set.names[index].rawName + (value.contains(context.token) ? "" : ": \(value)")
        }
        let rest = set.names.count - shown
        return fields.joined(separator: ", ") + (rest > 0 ? " and \(rest) more fields" : "")
    }

    /// Returns the request of the first exchange with other fields, for a target that only the probe of this name has.
    static func separated(_ context: ProbeContext, _ fields: [HTTPField.Name: String], _ name: String)
        -> HTTPRequest
    {
        var request = context.request(fields)
        let path = request.path ?? "/"
        request.path = path + (path.contains("?") ? "&" : "?") + "cachecheck=\(context.token)-\(name)"
        return request
    }

    /// Returns the fields and the decoded content, up to a size that pages do not exceed.
    private static func text(of answer: AuditedExchange) -> String {
        let fields = answer.fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return fields
            + String(decoding: (answer.decodedContent ?? answer.content).prefix(1 << 20), as: UTF8.self)
    }

    private static let fieldSets = [
        // Fields that frameworks use to form absolute URLs, or to identify the client.
        FieldSet(
            "unkeyed-fields",
            [
                "X-Forwarded-Host", "X-Forwarded-Server", "X-Forwarded-Proto", "X-Forwarded-Scheme",
                "X-Forwarded-Prefix", "X-Forwarded-For", "X-Forwarded-Path", "X-Forwarded-Port", "X-Host",
                "X-Original-Host", "X-HTTP-Host-Override", "X-Backend-Host", "X-Real-IP", "X-Client-IP",
                "True-Client-IP", "CF-Connecting-IP", "X-Cluster-Client-IP", "X-Wap-Profile",
                "X-Requested-With", "X-Forwarded-Proto-Version", "X-Amz-Website-Redirect-Location",
            ]
        ) { "cachecheck-\($0.token)-\($1).invalid" },
        // Fields by which some servers replace the target.
        FieldSet("rewriting-fields", ["X-Original-URL", "X-Rewrite-URL", "X-Override-URL"]) {
            "/cachecheck-\($0.token)-\($1)"
        },
        // The other scheme, from which some servers redirect, and a method that changes nothing.
        FieldSet(
            "overriding-fields",
            [
                "X-Forwarded-Proto", "X-Forwarded-Protocol", "X-Url-Scheme", "X-HTTP-Method-Override",
                "X-HTTP-Method", "X-Method-Override",
            ]
        ) { context, index in
            index < 3 ? (context.first.request.scheme == "https" ? "http" : "https") : "HEAD"
        },
    ]
}
