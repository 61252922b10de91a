import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Directives that contradict each other, or do nothing beside another.
    var ofDirectives: [Advice] {
        var found: [Advice] = []
        if control.noStore, !control.mustUnderstand {
            let idle = names([
                "max-age", "s-maxage", "public", "private", "stale-while-revalidate", "immutable",
            ])
            if !idle.isEmpty {
                let sentence =
                    "no-store keeps the response out of every cache, so \(list(idle, "does", "do")) nothing"
                found.append(problem("no-store-and-lifetime", sentence, "RFC 9111 §5.2.2.5"))
            }
        }
        if control.isPublic, control.privateScope == .everything {
            let sentence = "public and private contradict each other; caches go by private"
            found.append(problem("public-and-private", sentence, "RFC 9111 §4.2.1"))
        }
        if control.privateScope == .everything, control.sharedMaxAge != nil {
            let sentence = "s-maxage is for shared caches, which private keeps the response out of"
            found.append(problem("private-and-s-maxage", sentence, "RFC 9111 §5.2.2.10"))
        }
        if control.hasConflict {
            let sentence = "a directive is repeated with another value; which one counts is up to the cache"
            found.append(problem("repeated-directive", sentence, "RFC 9111 §4.2.1"))
        }
        if control.noCache == .everything {
            let idle = names(["max-age", "immutable", "stale-while-revalidate", "must-revalidate"])
                .filter { $0 != "max-age" || seconds("max-age") != 0 }
            if !idle.isEmpty, !control.noStore {
                let sentence =
                    "no-cache has every use validated, so \(list(idle, "does", "do")) nothing beside it"
                found.append(hint("no-cache-and-lifetime", sentence, "RFC 9111 §5.2.2.4"))
            }
        }
        if control.mustRevalidate, control.staleWhileRevalidate != nil || control.staleIfError != nil {
            let sentence =
                "must-revalidate forbids every stale use, so stale-while-revalidate and stale-if-error do nothing"
            found.append(problem("must-revalidate-and-stale", sentence, "RFC 9111 §5.2.2.2"))
        }
        return found
    }

    /// What looks like a directive and is none.
    var ofSpelling: [Advice] {
        var found: [Advice] = []
        for member in members {
            let name = member.name
            if let meant = Self.misspelt[name] {
                let sentence = "\(name) is no directive and is ignored; \(meant) is meant"
                found.append(problem("misspelt-directive", sentence, "RFC 9111 §5.2.3"))
            } else if name.contains(where: { ": ;".contains($0) }) {
                let sentence =
                    "\"\(member.text)\" is no directive: members are separated by commas, and = joins name and value"
                found.append(problem("broken-directive", sentence, "RFC 9111 §5.2"))
            } else if Self.withSeconds.contains(name), !member.isSeconds {
                let sentence =
                    "\"\(member.text)\" has no number of seconds, which makes the response stale or the directive void"
                found.append(problem("invalid-seconds", sentence, "RFC 9111 §1.2.2"))
            } else if Self.ofRequests.contains(name) {
                let sentence = "\(name) means something in requests alone"
                found.append(hint("request-directive", sentence, "RFC 9111 §5.2.1"))
            } else if ["pre-check", "post-check"].contains(name) {
                found.append(hint("obsolete-directive", "\(name) is obeyed by no cache", "RFC 9111 §5.2.3"))
            }
        }
        return found
    }

    private static let misspelt = [
        "maxage": "max-age", "max_age": "max-age", "s-max-age": "s-maxage", "smaxage": "s-maxage",
        "s-maxage-age": "s-maxage", "nocache": "no-cache", "no_cache": "no-cache", "nostore": "no-store",
        "no_store": "no-store", "must-revalidation": "must-revalidate", "revalidate": "must-revalidate",
        "stale-while-revalidation": "stale-while-revalidate", "immutible": "immutable",
    ]
    private static let withSeconds = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]
    private static let ofRequests = ["max-stale", "min-fresh", "only-if-cached"]

    /// A member of Cache-Control as it stands there.
    struct Member {
        let text: String
        let name: String
        let argument: String?

        /// Whether its argument is digits, with or without quotes.
        var isSeconds: Bool {
            let digits = (argument ?? "").filter { $0 != "\"" }
            return DeltaSeconds(parsing: digits.utf8) != nil
        }
    }

    var members: [Member] {
        ListField.members(of: fields[values: .cacheControl]).map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Member(
                text: text,
                name: parts.first.map { $0.lowercased() } ?? "",
                argument: parts.count == 2 ? String(parts[1]) : nil
            )
        }
    }

    func seconds(_ name: String) -> Int64? {
        let argument = members.first { $0.name == name }?.argument?.filter { $0 != "\"" }
        return argument.flatMap { Int64($0) }
    }

    /// Those of some directives that are there.
    private func names(_ wanted: [String]) -> [String] {
        wanted.filter { name in members.contains { $0.name == name } }
    }

    /// The names, and the verb that goes with one or with several.
    private func list(_ names: [String], _ ofOne: String, _ ofSeveral: String) -> String {
        names.joined(separator: " and ") + " " + (names.count == 1 ? ofOne : ofSeveral)
    }
}
