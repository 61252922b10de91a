import CacheSemantics
import HTTPTypes

extension Mutant {
    /// Freshness lifetimes (RFC 9111 §4.2.1, §4.2.2, §5.3).
    static let ofLifetime: [Mutant] = [
        Mutant(
            "max-age-off-by-one",
            "A response is still fresh when its age equals its max-age",
            [.freshWhileLifetimeExceedsAge],
            EngineDefect.directives(at: [.planning]) { _, member in
                member.name == "max-age" ? member.seconds.map { member.with($0 + 1) } : nil
            }
        ),
        Mutant(
            "max-age-ignored",
            "max-age gives no freshness lifetime",
            [.lifetimeMaxAge],
            documents: ["http.cache-control.max-age", "urlcache.policy.protocol.fresh"],
            EngineDefect.blind(to: "max-age", at: [.planning])
        ),
        Mutant(
            "s-maxage-ignored-by-shared",
            "A shared cache ignores s-maxage",
            [.lifetimeSharedMaxAge],
            EngineDefect.blind(to: "s-maxage", in: .shared)
        ),
        Mutant(
            "s-maxage-used-by-private",
            "A private cache uses s-maxage as the freshness lifetime",
            [.lifetimeSharedMaxAgePrivate],
            EngineDefect.view { head in
                guard head.kind == .private,
                    let shared = head.fields.directives.first(where: { $0.name == "s-maxage" })
                else { return head.response }
                let fields = head.fields.changingDirectives { $0.name == "max-age" ? [] : nil }
                return head.with(fields.adding(directive: "max-age=\(shared.argument ?? "0")"))
            }
        ),
        Mutant(
            "expires-before-max-age",
            "Expires takes precedence over max-age",
            [.lifetimeMaxAge, .expiresIgnored],
            documents: ["http.cache-control-over-expires"],
            EngineDefect.view(at: [.planning]) { head in
                guard head.date(.expires) != nil else { return head.response }
                return head.with(
                    head.fields.changingDirectives { ["max-age", "s-maxage"].contains($0.name) ? [] : nil }
                )
            }
        ),
        Mutant(
            "expires-ignored",
            "Expires is ignored",
            [.lifetimeExpires],
            documents: ["http.expires"],
            EngineDefect.fields { fields, _ in fields[.expires] = nil }
        ),
        Mutant(
            "expires-by-own-clock",
            "Expires is compared with the cache's clock instead of Date",
            [.lifetimeExpires],
            EngineDefect.fields(at: [.planning]) { fields, head in
                guard let expires = head.date(.expires), let date = head.date(.date) else { return }
                let skew = head.received.seconds(since: date)
                fields[.expires] = expires.advanced(by: -skew).text
            }
        ),
        Mutant(
            "invalid-expires-is-fresh",
            "An invalid Expires means an hour from now",
            [.expiresInvalid],
            EngineDefect.fields(at: [.planning]) { fields, head in
                if fields.contains(.expires), head.date(.expires) == nil {
                    fields[.expires] = (head.date(.date) ?? head.received).advanced(by: 3600).text
                }
            }
        ),
        Mutant(
            "largest-value-counts",
            "The largest of several values of a directive or Expires is used",
            [.lifetimeConflict],
            EngineDefect.fields(at: [.planning]) { fields, head in
                for name in ["max-age", "s-maxage"] {
                    let largest = fields.directives.filter { $0.name == name }.compactMap(\.seconds).max()
                    guard let largest else { continue }
                    fields = fields.changingDirectives { $0.name == name ? $0.with(largest) : nil }
                }
                let dates = fields[values: .expires].compactMap { HTTPDate(parsing: $0, now: head.received) }
                if dates.count > 1, let latest = dates.max() { fields[.expires] = latest.text }
            }
        ),
        Mutant(
            "least-restrictive-counts",
            "no-store and no-cache are ignored with max-age",
            [.lifetimeMostRestrictive],
            EngineDefect.directives { head, member in
                guard head.fields.has("max-age", "s-maxage") else { return nil }
                return ["no-store", "no-cache", "private"].contains(member.name) ? [] : nil
            }
        ),
        Mutant(
            "invalid-max-age-is-fresh",
            "An invalid max-age means an hour",
            [.lifetimeInvalid],
            EngineDefect.directives(at: [.planning]) { _, member in
                guard member.name == "max-age" || member.name == "s-maxage" else { return nil }
                let digits = member.argument?.filter { $0 != "\"" } ?? ""
                return !digits.isEmpty && digits.allSatisfy(\.isNumber) ? nil : member.with(3600)
            }
        ),
        Mutant(
            "heuristics-despite-explicit",
            "Heuristic freshness is used although the response has an expiration time",
            [.heuristicOnlyWithoutExplicit],
            EngineDefect.view(at: [.planning]) { head in
                guard head.fields.contains(.lastModified) else { return head.response }
                var fields = head.fields.changingDirectives {
                    ["max-age", "s-maxage"].contains($0.name) ? [] : nil
                }
                fields[.expires] = nil
                return head.with(fields)
            }
        ),
        Mutant(
            "heuristics-for-any-status",
            "Heuristic freshness is used with every status code",
            [.heuristicStatus, .heuristicStatuses],
            EngineDefect.fields { fields, _ in
                if fields.contains(.lastModified), !fields.has("max-age"), !fields.contains(.expires) {
                    fields = fields.adding(directive: "public")
                }
            }
        ),
        Mutant(
            "heuristic-status-refused",
            "Heuristic freshness is used only with status 200",
            [.heuristicStatuses],
            EngineDefect.putting { stored, _ in
                let fields = stored.response.headerFields
                let isExplicit = fields.has("max-age", "s-maxage", "public") || fields.contains(.expires)
                return stored.statusCode == 200 || isExplicit ? stored : nil
            }
        ),
        Mutant(
            "heuristic-too-long",
            "Heuristic freshness is half of the time since Last-Modified",
            [.heuristicTenPercent],
            heuristic(times: 5)
        ),
        Mutant(
            "heuristic-too-short",
            "Heuristic freshness is a hundredth of the time since Last-Modified",
            [.heuristicTenPercent],
            EngineDefect.fields(at: [.planning]) { fields, head in
                guard let modified = head.date(.lastModified), let date = head.date(.date) else { return }
                fields[.lastModified] = date.advanced(by: -(date.seconds(since: modified) / 10)).text
            }
        ),
        Mutant(
            "date-names-case-sensitive",
            "The names in a date are read case-sensitively",
            [.expiryDateCase],
            EngineDefect.fields { fields, _ in
                guard let text = fields[.expires] else { return }
                let hasUsualCase = text.hasSuffix("GMT") && text.first?.isUppercase == true
                if !hasUsualCase || text.dropFirst(8).first?.isLowercase == true { fields[.expires] = "0" }
            }
        ),
        Mutant(
            "date-zone-ignored",
            "The time zone of a date is ignored",
            [.expiryDateZone],
            EngineDefect.fields(at: [.planning]) { fields, _ in
                guard let text = fields[.expires], !text.hasSuffix("GMT") else { return }
                let words = text.split(separator: " ").dropLast()
                fields[.expires] = words.joined(separator: " ") + " GMT"
            }
        ),
    ]

    private static func heuristic(times factor: Int64) -> EngineDefect {
        EngineDefect.fields(at: [.planning]) { fields, head in
            guard let modified = head.date(.lastModified), let date = head.date(.date) else { return }
            fields[.lastModified] = date.advanced(by: -date.seconds(since: modified) * factor).text
        }
    }
}
