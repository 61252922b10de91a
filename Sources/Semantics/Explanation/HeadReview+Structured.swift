import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Returns advice on invalid and unregistered status codes.
    var ofStatus: [Advice] {
        let answered = exchange.response.status
        if !answered.isValid {
            let sentence =
                "\(status) is not an HTTP status code; clients treat it as a 5xx, and it is not stored"
            return [problem("invalid-status", sentence, "RFC 9110 §15")]
        }
        guard !answered.isRegistered else { return [] }
        let sentence = "\(status) is not registered; recipients treat it as \(status / 100 * 100)"
        return [hint("unknown-status", sentence, "RFC 9110 §15")]
    }

    /// Returns advice on invalid structured fields, and on invalidation of groups by safe requests.
    var ofStructuredFields: [Advice] {
        targetedNames.flatMap { advice(about: fields.faults(ofTargeted: $0), in: $0, "RFC 9213 §2.1") }
            + advice(about: fields.faults(ofGroups: .cacheGroups), in: .cacheGroups, "RFC 9875 §2")
            + ofGroupInvalidation
            + advice(about: fields.faultsOfNoVarySearch, in: .noVarySearch, "RFC 9651 §4.2")
            + ofSearchDrafts
            + advice(about: fields.faultsOfUseAsDictionary, in: .useAsDictionary, "RFC 9842 §2.1")
            + advice(about: fields.faultsOfAcceptQuery, in: .acceptQuery, "RFC 10008 §3")
            + advice(about: fields.faults(ofDigests: .contentDigest), in: .contentDigest, "RFC 9530 §2")
            + advice(about: fields.faults(ofDigests: .reprDigest), in: .reprDigest, "RFC 9530 §3")
            + advice(about: fields.faultsOfIncremental, in: .incremental, "draft-ietf-httpbis-incremental §3")
    }

    /// Returns advice on a No-Vary-Search that the current draft and the implementations of earlier ones read differently.
    private var ofSearchDrafts: [Advice] {
        guard let search = NoVarySearch(fields) else { return [] }
        let section = "draft-ietf-httpbis-no-vary-search §4.1"
        if search.isOfEarlierDraft {
            let sentence =
                search.isOrderAlone
                ? "key-order has no effect without params or except by the algorithm of the current draft; add params=()"
                : "params without a list of strings is ignored since the draft of December 2025; use except=() or except=(…) alone"
            return [problem("earlier-no-vary-search", sentence, section)]
        }
        guard search.isOfCurrentDraft else { return [] }
        let sentence =
            "except without params is ignored by caches that implement a draft before December 2025, as some browsers do"
        return [hint("current-no-vary-search", sentence, section)]
    }

    private var targetedNames: [HTTPField.Name] {
        let targets = exchange.engine.targets
        return fields.map(\.name).reduce(into: []) { names, name in
            if name.isLikeTargeted || targets.contains(name), !names.contains(name) { names.append(name) }
        }
    }

    private var ofGroupInvalidation: [Advice] {
        let name = HTTPField.Name.cacheGroupInvalidation
        guard fields.contains(name) else { return [] }
        guard !exchange.request.method.isKnownToBeSafe else {
            let method = exchange.request.method.rawValue
            let sentence = "\(name.rawName) is ignored in a response to \(method), which is a safe method"
            return [problem("group-invalidation-of-safe", sentence, "RFC 9875 §3")]
        }
        return advice(about: fields.faults(ofGroups: name), in: name, "RFC 9875 §3")
    }

    private func advice(
        about faults: [StructuredFieldFault],
        in name: HTTPField.Name,
        _ section: String
    ) -> [Advice] {
        faults.map { advice(about: $0, in: name.rawName, section) }
    }

    private func advice(about fault: StructuredFieldFault, in name: String, _ section: String) -> Advice {
        switch fault {
        case .unparsable:
            let sentence = "\(name) does not parse as a structured field and is ignored"
            return problem("unparsable-field", sentence, section)
        case .mistyped(let member, let expected):
            let place = member == name ? member : "\(member) in \(name)"
            let sentence = "\(place) has a value of the wrong type; caches expect \(expected)"
            return problem("mistyped-member", sentence, section)
        case .missing(let member):
            let sentence = "\(name) lacks \(member), without which it is ignored"
            return problem("missing-member", sentence, section)
        }
    }
}
