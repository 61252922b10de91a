import CacheSemantics
import HTTPTypes

extension Probe {
    /// The query: parameters that No-Vary-Search declares to be without effect, and those of campaigns, which usually are.
    static let queries: [Probe] = [
        Probe(
            name: "declared-parameters",
            rules: ["no-vary-search-differs"],
            skip: { context in
                guard !context.first.fields[values: .noVarySearch].isEmpty else {
                    return "the response has no No-Vary-Search"
                }
                return equivalentPath(context) == nil
                    ? "No-Vary-Search is invalid, or names no usual parameter" : nil
            },
            request: { target($0, equivalentPath($0)) },
            judge: { context, answer in
                guard answer.status == 200 else { return .unknown("the answer has status \(answer.status)") }
                guard let isEqual = isEqual(context, answer) else {
                    return .unknown("the content changes with each request")
                }
                if isEqual { return .satisfied }
                return .violates(
                    "no-vary-search-differs",
                    "\(answer.request.path ?? "/") has different content, although No-Vary-Search: "
                        + "\(text(context)) lets caches reuse this response for it"
                )
            }
        ),
        Probe(
            name: "campaign-parameters",
            rules: ["campaign-parameters"],
            skip: { context in
                guard !campaignNames(context).isEmpty else { return "the URL has no campaign parameter" }
                return context.browser.isStored || context.shared.isStored
                    ? nil : "no cache stores the response"
            },
            request: { target($0, pathWithoutCampaign($0)) },
            judge: { context, answer in
                guard answer.status == 200, isEqual(context, answer) == true else { return .satisfied }
                let names = campaignNames(context).joined(separator: ", ")
                return .violates(
                    "campaign-parameters",
                    "the content does not depend on \(names), but caches store a copy for each value"
                )
            }
        ),
    ]

    /// Parameters by which advertisements and newsletters count visits.
    private static let campaign: Set<String> = [
        "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id", "gclid", "dclid",
        "fbclid",
        "msclkid", "twclid", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "igshid", "yclid", "wbraid", "gbraid",
    ]

    // MARK: Targets

    private static func parts(_ context: ProbeContext) -> (base: String, query: [Substring]) {
        let (base, query) = NoVarySearch.parts(of: context.first.request.path ?? "/")
        return (base, (query ?? "").split(separator: "&"))
    }

    private static func target(_ context: ProbeContext, _ path: String?) -> HTTPRequest {
        var request = context.request([:])
        request.path = path ?? request.path
        return request
    }

    /// Returns a path with another query that No-Vary-Search declares to be equivalent; `nil` if none was found.
    private static func equivalentPath(_ context: ProbeContext) -> String? {
        guard let search = NoVarySearch(context.first.fields) else { return nil }
        let (base, pairs) = parts(context)
        let usual = search.canonical(pairs.joined(separator: "&"))
        func isEquivalent(_ query: [String]) -> Bool {
            search.canonical(query.joined(separator: "&")) == usual
        }
        var query = pairs.map(String.init)
        for (index, pair) in pairs.enumerated() {
            var changed = query
            changed[index] = "\(name(of: pair))=\(context.token)"
            if isEquivalent(changed) { query = changed }
        }
        for name in campaign.sorted() + ["cachecheck"]
        where isEquivalent(query + ["\(name)=\(context.token)"]) {
            query.append("\(name)=\(context.token)")
            break
        }
        if isEquivalent(query.reversed()) { query.reverse() }
        return query == pairs.map(String.init) ? nil : base + "?" + query.joined(separator: "&")
    }

    private static func pathWithoutCampaign(_ context: ProbeContext) -> String {
        let (base, pairs) = parts(context)
        let rest = pairs.filter { !campaign.contains(name(of: $0)) }
        return rest.isEmpty ? base : base + "?" + rest.joined(separator: "&")
    }

    /// Returns the names of campaign parameters, except those that No-Vary-Search declares to have no effect.
    private static func campaignNames(_ context: ProbeContext) -> [String] {
        let search = NoVarySearch(context.first.fields)
        return parts(context).query.map { name(of: $0) }.filter { name in
            campaign.contains(name) && search.map { $0.canonical("\(name)=1") != $0.canonical(nil) } ?? true
        }
    }

    private static func name(of pair: Substring) -> String { String(pair.prefix { $0 != "=" }) }

    /// Returns the campaign parameters of a URL, as a No-Vary-Search names them.
    static func ignoringCampaign(_ exchange: AuditedExchange) -> String? {
        let query = NoVarySearch.parts(of: exchange.request.path ?? "/").query ?? ""
        let names = query.split(separator: "&").map { name(of: $0) }.filter(campaign.contains)
        return names.isEmpty ? nil : "params=(\(names.map { "\"\($0)\"" }.joined(separator: " ")))"
    }

    // MARK: Answers

    /// Whether an answer has the content of the first; `nil` if that changes by itself, or is not known.
    static func isEqual(_ context: ProbeContext, _ answer: AuditedExchange) -> Bool? {
        guard context.isSteady == true, let one = context.first.decodedIdentity,
            let other = answer.decodedIdentity
        else { return nil }
        return one == other
    }

    private static func text(_ context: ProbeContext) -> String {
        context.first.fields[values: .noVarySearch].joined(separator: ", ")
    }
}
