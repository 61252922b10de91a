import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Returns advice on directives that contradict each other, or have no effect together.
    var ofDirectives: [Advice] {
        var found: [Advice] = []
        if control.noStore, !control.mustUnderstand {
            // `private` and a lifetime of zero agree with it, and are written next to it for caches that do not obey it.
            let idle = names(["max-age", "s-maxage", "public", "stale-while-revalidate", "immutable"])
                .filter { !["max-age", "s-maxage"].contains($0) || seconds($0) != 0 }
            if !idle.isEmpty {
                let sentence =
                    "no-store forbids storing the response, so \(list(idle, "has", "have")) no effect"
                found.append(problem("no-store-and-lifetime", sentence, "RFC 9111 §5.2.2.5"))
            }
        }
        if control.isPublic, control.privateScope == .everything {
            let sentence = "public and private contradict each other; caches obey private"
            found.append(problem("public-and-private", sentence, "RFC 9111 §4.2.1"))
        }
        if control.privateScope == .everything, control.sharedMaxAge != nil {
            let sentence = "s-maxage is for shared caches, but private forbids them to store the response"
            found.append(problem("private-and-s-maxage", sentence, "RFC 9111 §5.2.2.10"))
        }
        if control.hasConflict || hasOtherStaleUse {
            let sentence =
                "a directive is repeated with a different value; caches differ in which one they use"
            found.append(problem("repeated-directive", sentence, "RFC 9111 §4.2.1"))
        }
        if control.noCache == .everything {
            let idle = names([
                "max-age", "immutable", "stale-while-revalidate", "stale-if-error", "must-revalidate",
            ])
            .filter { $0 != "max-age" || seconds("max-age") != 0 }
            if !idle.isEmpty, !control.noStore {
                let sentence =
                    "no-cache requires validation before each use, so \(list(idle, "has", "have")) no effect"
                found.append(hint("no-cache-and-lifetime", sentence, "RFC 9111 §5.2.2.4"))
            }
        }
        return found + ofIdleStaleUse
    }

    /// Whether a directive about stale use is repeated with another value; a structured field has its last one.
    private var hasOtherStaleUse: Bool {
        guard controlName == .cacheControl else { return false }
        return ["stale-while-revalidate", "stale-if-error"].contains { name in
            Set(members(of: controlName).filter { $0.name == name }.map(\.argument)).count > 1
        }
    }

    /// Returns advice on directives that allow stale use which another directive forbids in this cache.
    private var ofIdleStaleUse: [Advice] {
        guard let stored, let rule = exchange.engine.staleProhibition(of: stored), rule != .responseNoCache
        else { return [] }
        let idle = names(["stale-while-revalidate", "stale-if-error"])
        guard !idle.isEmpty else { return [] }
        let directive = ExchangeExplanation.directive(rule)
        let place = rule == .responseMustRevalidate ? "" : " in a shared cache"
        let sentence =
            "\(directive) forbids every stale use\(place), so \(list(idle, "has", "have")) no effect there"
        return [problem("\(directive)-and-stale", sentence, rule.section)]
    }

    private func seconds(_ name: String) -> Int64? {
        let argument = members(of: controlName).first { $0.name == name }?.argument?.filter { $0 != "\"" }
        return argument.flatMap { Int64($0) }
    }

    /// Returns the present ones of some directives.
    private func names(_ wanted: [String]) -> [String] {
        wanted.filter { name in members(of: controlName).contains { $0.name == name } }
    }

    /// Returns the names with the verb in singular or plural.
    private func list(_ names: [String], _ ofOne: String, _ ofSeveral: String) -> String {
        names.joined(separator: " and ") + " " + (names.count == 1 ? ofOne : ofSeveral)
    }
}
