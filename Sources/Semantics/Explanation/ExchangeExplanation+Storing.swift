import CacheSemantics
import HTTPTypes

extension ExchangeExplanation {
    /// Fields that concern one connection (RFC 9110 §7.6.1), which no cache is expected to store.
    private static let ofConnections: Set = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    mutating func explainStoring(
        _ stored: StoredResponse?,
        _ settlement: Settlement,
        _ exchange: ExplainedExchange
    ) {
        let kind = exchange.engine.kind
        if let stored {
            let reason = settlement.findings.last { $0.rule == .storeExplicitOrHeuristic && $0.held }
            note(.storing, .storable(by: kind), reason?.rule ?? .storeExplicitOrHeuristic)
            // The range of a part is known without the field.
            let dropped = exchange.response.headerFields.map(\.name).filter {
                !stored.response.headerFields.contains($0) && (stored.parts == nil || $0 != .contentRange)
                    && !Self.ofConnections.contains($0.canonicalName)
            }
            if !dropped.isEmpty {
                let names = Set(dropped).map(\.rawName).sorted().joined(separator: ", ")
                note(.storing, "\(names) would not be stored with it", .dropConnectionFields)
            }
        } else {
            explainNotStoring(settlement, exchange)
        }
        if let ignored = settlement.findings.last(where: { $0.rule == .clearSiteTrustworthy && !$0.held }) {
            note(
                .storing,
                "Clear-Site-Data is ignored, because the origin is not trustworthy: \(ignored.detail)",
                ignored.rule
            )
        }
        for case .invalidate(let key) in settlement.edits {
            note(.storing, "Stored responses for \(key.targetURI) are invalidated", .unsafeInvalidates)
        }
        for case .invalidateGroups(let origin, let groups) in settlement.edits {
            let names = groups.joined(separator: ", ")
            note(
                .storing,
                "Stored responses of \(origin) in the groups \(names) are invalidated",
                .groupInvalidation
            )
        }
    }

    private mutating func explainNotStoring(_ settlement: Settlement, _ exchange: ExplainedExchange) {
        let cleared = settlement.findings.last { $0.rule == .clearSiteData && $0.held }
        // The last rule decided, except that after Clear-Site-Data none is consulted.
        let decisive = cleared ?? settlement.findings.last { !$0.held }
        var reason = decisive?.detail
        if let cleared { reason = "Clear-Site-Data \(cleared.detail)" }
        var rule = decisive?.rule ?? .storeExplicitOrHeuristic
        if exchange.request.method == .head, rule == .storeMethodUnderstood {
            reason = Self.reasonOfHEAD
        }
        let isForbidden = cleared != nil || rule == .requestNoStore
        if exchange.response.status == .notModified, !isForbidden, rule != .unsolicitedNotModified {
            (reason, rule) = (Self.reasonOfNotModified, .freshenNone)
        }
        if reason?.hasSuffix(".") == true { reason?.removeLast() }
        note(.storing, .unstorable(by: exchange.engine.kind, because: reason), rule)
    }

    private static let reasonOfNotModified =
        "a 304 has no content; it updates the stored response that it identifies, and nothing is stored here"

    private static let reasonOfHEAD =
        "a response to HEAD is not kept for later ones, which RFC 9110 §9.3.2 would permit; it "
        + "updates or invalidates what is stored for GET (§4.3.5)"

    /// Explains for how long the response may be offered as a dictionary, if it is one; and how it is forwarded.
    mutating func explainExtensions(of stored: StoredResponse?, _ exchange: ExplainedExchange) {
        let fields = exchange.response.headerFields
        if fields.isIncremental {
            let sentence = "It is forwarded as it arrives, and no other request waits for its end"
            note(.storing, sentence, .incrementalForwarded)
        }
        guard fields.contains(.useAsDictionary) else { return }
        let left = stored.map { exchange.engine.secondsAsDictionary($0, now: exchange.now) } ?? 0
        let sentence =
            left > 0
            ? "It may be offered as a dictionary for \(left) s" : "It may not be offered as a dictionary"
        note(.storing, sentence, .dictionaryUsable)
    }

    mutating func explainKey(_ stored: [StoredResponse], _ exchange: ExplainedExchange) {
        guard let stored = stored.first else { return }
        if stored.key.isOfContent {
            let sentence =
                "It is found by QUERY requests for \(stored.key.targetURI) with the same content and fields of the content"
            note(.key, sentence, .queryKey)
        } else {
            let found =
                stored.parts == nil
                ? "It is found by GET and HEAD requests for"
                : "Its bytes are found by GET requests for ranges of"
            note(.key, "\(found) \(stored.key.targetURI)", .keyHasMethodAndTarget)
        }
        if stored.noVarySearch(by: exchange.engine) != nil {
            let sentence =
                "It is also found by requests whose query differs only in parameters that No-Vary-Search excludes"
            note(.key, sentence, .searchIgnored)
        }
        guard !stored.vary.neverMatches else {
            let member = stored.hasStar ? "*" : "that is not a field name"
            note(.key, "Vary has a member \(member), so no request ever matches", .varyStarNeverMatches)
            return
        }
        for name in stored.vary.names {
            let lines = stored.selectingFields[values: name]
            let value = lines.isEmpty ? "absent" : "\"\(lines.joined(separator: ", "))\""
            note(.key, "It matches requests whose \(name.rawName) is \(value)", .varyMatches)
        }
        if CompressionDictionary.isUsed(by: stored.response.headerFields) {
            let sentence =
                "It is coded with a dictionary, so Available-Dictionary and Accept-Encoding always select it"
            note(.key, sentence, .dictionaryVaries)
        }
        if exchange.engine.keyHasCredentials {
            note(.key, "The credentials of the request are part of the key", .keyHasCredentials)
        }
    }
}

extension StoredResponse {
    /// Whether `*` is a member of Vary.
    fileprivate var hasStar: Bool {
        ListField.members(of: response.headerFields[values: .vary]).contains("*")
    }
}
