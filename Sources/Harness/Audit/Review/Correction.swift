import CacheSemantics
import Explanation
import HTTPTypes

/// Corrections of heads: the changed fields of a response without a finding.
enum Correction {
    /// Returns the changed fields for a rule; empty if none is known.
    static func fields(for rule: String, in exchange: AuditedExchange) -> [CorrectedField] {
        guard let correct = table[rule] else { return [] }
        return correct(exchange)
    }

    /// Returns the exchange with corrected fields.
    static func applied(_ corrected: [CorrectedField], to exchange: AuditedExchange) -> AuditedExchange {
        var copy = exchange
        for field in corrected { copy.response.headerFields[field.name] = field.value }
        return copy
    }

    /// Returns the effect of a correction on caches, in words; `nil` if there is none.
    static func gain(of corrected: [CorrectedField], in exchange: AuditedExchange, _ caches: [AuditedCache])
        -> String?
    {
        guard !corrected.isEmpty else { return nil }
        let exchange = withoutDelay(exchange)
        var (before, after) = (exchange.explained, applied(corrected, to: exchange).explained)
        let changes = caches.compactMap { cache -> String? in
            (before.engine, after.engine) = (cache.engine, cache.engine)
            return change(from: ReuseCosts(before), to: ReuseCosts(after)).map { "\(cache.name): \($0)" }
        }
        return changes.isEmpty ? nil : changes.joined(separator: "; ")
    }

    /// Returns the exchange as if it had taken no time, so that lifetimes are those that the fields name.
    private static func withoutDelay(_ exchange: AuditedExchange) -> AuditedExchange {
        var copy = exchange
        copy.requestTime = exchange.responseTime
        guard !exchange.fields.contains(.age), let text = exchange.fields[.date],
            let date = HTTPDate(parsing: text, now: exchange.responseTime),
            abs(exchange.responseTime.seconds(since: date)) <= 2
        else { return copy }
        (copy.requestTime, copy.responseTime) = (date, date)
        return copy
    }

    private static func change(from old: ReuseCosts, to new: ReuseCosts) -> String? {
        guard (old.stored == nil) == (new.stored == nil) else {
            return new.stored == nil ? "no longer stores it" : "stores it"
        }
        if old.useSeconds > 0, new.useSeconds == 0 {
            return "no longer used without a request, as before for \(ByteText.seconds(old.useSeconds))"
        }
        if old.useSeconds != new.useSeconds {
            return "used without a request for \(ByteText.seconds(new.useSeconds)), "
                + "not \(ByteText.seconds(old.useSeconds))"
        }
        if old.whenStale != new.whenStale {
            return "once stale \(new.whenStale.text(size: nil)) instead of \(old.whenStale.text(size: nil))"
        }
        guard old.reload != new.reload else { return nil }
        return "a reload costs \(new.reload.text(size: nil)) instead of \(old.reload.text(size: nil))"
    }

    private typealias Maker = @Sendable (AuditedExchange) -> [CorrectedField]

    private static let table: [String: Maker] = [
        "no-store-and-lifetime": directives { $0.without(idleBesideNoStore) },
        "public-and-private": directives { $0.without(["public"]) },
        "private-and-s-maxage": directives { $0.without(["s-maxage"]) },
        "no-cache-and-lifetime": directives { $0.without(idleBesideNoCache) },
        "must-revalidate-and-stale": directives { $0.without(["must-revalidate"]) },
        "proxy-revalidate-and-stale": directives { $0.without(["proxy-revalidate"]) },
        "s-maxage-and-stale": directives { sharedAsUsual($0) },
        "misspelt-directive": directives { $0.changing(spelt) },
        "quoted-seconds": directives { $0.changing(unquoted) },
        "unquoted-field-list": directives { $0.changing(quotedFields) },
        "request-directive": directives { $0.without(KnownName.requestDirectives) },
        "obsolete-directive": directives { $0.without(KnownName.obsoleteDirectives) },
        "shared-cookie": { unshared($0) },
        "must-understand-alone": directives { $0.with("no-store") },
        "immutable-name": directives { $0.without(["immutable"]) },
        "long-lived-page": directives { _ in list("no-cache") },
        "no-store-page": directives { _ in list("private, no-cache") },
        "short-lived-asset": directives { control in
            list((control.contains("private") ? "private" : "public") + ", max-age=31536000, immutable")
        },
        "long-lived-error": directives { _ in list("max-age=60") },
        "permanent-redirect": directives { $0.with("max-age=86400") },
        "heuristic-lifetime": { lifetime($0) },
        "no-lifetime": { lifetime($0) },
        "expires-and-max-age": { _ in [CorrectedField(name: .expires, value: nil)] },
        "expires-is-no-date": { exchange in
            let control = DirectiveList(exchange.fields).value ?? "no-cache"
            return [
                CorrectedField(name: .cacheControl, value: control),
                CorrectedField(name: .expires, value: nil),
            ]
        },
        "coding-without-vary": { varying($0, .acceptEncoding) },
        "dictionary-without-vary": { varying($0, .availableDictionary) },
        "uncoded-without-vary": { varying($0, .acceptEncoding) },
        "origin-without-vary": { varying($0, .origin) },
        "language-without-vary": { varying($0, .acceptLanguage) },
        "campaign-parameters": { exchange in
            guard exchange.fields[.noVarySearch] == nil else { return [] }
            return Probe.ignoringCampaign(exchange).map { [CorrectedField(name: .noVarySearch, value: $0)] }
                ?? []
        },
        "unquoted-etag": { exchange in
            [CorrectedField(name: .eTag, value: exchange.fields[.eTag].map { "\"\($0)\"" })]
        },
        "pragma-in-response": { _ in
            HTTPField.Name("Pragma").map { [CorrectedField(name: $0, value: nil)] } ?? []
        },
    ]

    private static let idleBesideNoStore = [
        "max-age", "s-maxage", "public", "stale-while-revalidate", "immutable",
    ]
    private static let idleBesideNoCache = [
        "max-age", "immutable", "stale-while-revalidate", "stale-if-error", "must-revalidate",
    ]

    private static func directives(_ change: @escaping @Sendable (DirectiveList) -> DirectiveList) -> Maker {
        { [CorrectedField(name: .cacheControl, value: change(DirectiveList($0.fields)).value)] }
    }

    private static func list(_ value: String) -> DirectiveList {
        DirectiveList(HTTPFields([HTTPField(name: .cacheControl, value: value)]))
    }

    /// Returns directives without a contradiction: s-maxage forbids stale use (§5.2.2.10), max-age does not; so there is
    /// one lifetime for all caches, or no stale use.
    private static func sharedAsUsual(_ control: DirectiveList) -> DirectiveList {
        guard control.contains("max-age") else {
            return control.changing { name, argument in
                name == "s-maxage" ? "max-age=\(argument ?? "0")" : Self.member(name, argument)
            }
        }
        return control.without(["stale-while-revalidate", "stale-if-error"])
    }

    /// Directives that only concern shared caches.
    private static let forSharing = ["public", "s-maxage", "proxy-revalidate"]

    /// Returns the fields that forbid sharing: no directive for delivery networks, and private for all other caches.
    private static func unshared(_ exchange: AuditedExchange) -> [CorrectedField] {
        let network = CorrectedField(name: .cdnCacheControl, value: nil)
        let forNetworks = exchange.network?.isStored == true ? [network] : []
        let control = DirectiveList(exchange.fields)
        if control.isPrivate, !forNetworks.isEmpty { return forNetworks }
        let value = control.without(forSharing + ["private"]).with("private").value
        return forNetworks + [CorrectedField(name: .cacheControl, value: value)]
    }

    private static func spelt(_ name: String, _ argument: String?) -> String? {
        member(KnownName.directive(like: name) ?? name, argument)
    }

    private static func unquoted(_ name: String, _ argument: String?) -> String? {
        let bare = argument.map { $0.filter { $0 != "\"" } }
        let isNumber = bare.map { DeltaSeconds(parsing: $0.utf8) != nil } ?? false
        return member(name, isNumber ? bare : argument)
    }

    private static func quotedFields(_ name: String, _ argument: String?) -> String? {
        guard ["no-cache", "private"].contains(name), let argument, !argument.hasPrefix("\"") else {
            return member(name, argument)
        }
        return member(name, "\"\(argument)\"")
    }

    private static func member(_ name: String, _ argument: String?) -> String {
        argument.map { "\(name)=\($0)" } ?? name
    }

    /// Returns the field with an explicit lifetime; none where other directives have to be corrected first, since those
    /// may give one.
    private static func lifetime(_ exchange: AuditedExchange) -> [CorrectedField] {
        guard DirectiveList(exchange.fields).isWellFormed else { return [] }
        return [CorrectedField(name: .cacheControl, value: explicit(exchange))]
    }

    /// Returns an explicit lifetime that suits the URL: none for a response with a cookie, a year for unique names, that
    /// of shared caches alone if there is one, none for pages and for responses without a date, otherwise the one that
    /// caches guess.
    private static func explicit(_ exchange: AuditedExchange) -> String {
        var present = DirectiveList(exchange.fields)
        // A cookie is for one user, and so is most of what is sent with it.
        if exchange.fields.contains(.setCookie) {
            return present.without(forSharing + ["private"]).with("private").with("no-cache").value ?? ""
        }
        if present.isPrivate { present = present.without(forSharing) }
        if Fingerprint.isIn(exchange.request.path ?? "/") {
            return present.with("max-age=31536000").with("immutable").value ?? ""
        }
        // Browsers validate, and shared caches keep the lifetime that they have.
        if present.contains("s-maxage") { return present.with("max-age=0").value ?? "" }
        if exchange.isPage { return present.with("no-cache").value ?? "no-cache" }
        var explained = exchange.explained
        explained.engine = AuditedCache.browser.engine
        let stored = ReuseCosts(explained).stored
        let guess = stored.map { explained.engine.lifetimeTerms(of: $0).seconds } ?? 0
        guard guess > 0 else { return present.with("no-cache").value ?? "" }
        return present.with("max-age=\(max(guess, 600))").value ?? ""
    }

    private static func varying(_ exchange: AuditedExchange, _ name: HTTPField.Name) -> [CorrectedField] {
        let members = ListField.members(of: exchange.fields[values: .vary])
        // Another variant may be the one that lacks it.
        let isThere = members.contains { $0.lowercased() == name.canonicalName }
        let value = (members + (isThere ? [] : [name.rawName])).joined(separator: ", ")
        return [CorrectedField(name: .vary, value: value)]
    }
}
