import CacheClient
import CacheSemantics
import Explanation
import HTTPTypes

/// The result of an action.
package struct LabResult: Sendable {
    /// The action that was performed.
    package let action: LabAction
    /// The events, in order.
    let events: [LabEvent]
    /// The result for the browser's user; `nil` for an action that is not a request.
    let answer: LabAnswer?
    /// The URL of the resource at the gateway.
    let url: String

    /// Where the content that the user sees is from; `nil` for an action that is no request.
    package var source: Source? {
        guard case .request(let browser, _, _) = action else { return nil }
        for cache in [browser, .gateway] where serves(cache) {
            return cache == .gateway ? .gateway : .browser
        }
        let isAnswered = events.contains { event in
            if case .response(.gateway, _) = event { true } else { false }
        }
        return isAnswered ? .origin : Source.none
    }

    /// Where content is from.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// The browser's own cache.
        case browser
        /// The cache of the gateway.
        case gateway
        /// The origin, through the caches.
        case origin
        /// Nowhere: there was no response but an error.
        case none
    }

    /// The number of requests that reached the origin.
    package var originRequests: Int {
        events.count { event in
            if case .response(.gateway, _) = event { true } else { false }
        }
    }

    /// Returns the decision of a cache about the request, before a background validation.
    func decision(of cache: LabCacheName) -> LabDecision? {
        for case .decision(let decision) in events where decision.cache == cache { return decision }
        return nil
    }

    /// Returns the last decision of a cache about a response.
    func settlement(of cache: LabCacheName) -> LabSettlement? {
        for case .settlement(let settlement) in events.reversed() where settlement.cache == cache {
            return settlement
        }
        return nil
    }

    private func serves(_ cache: LabCacheName) -> Bool {
        switch decision(of: cache)?.outcome {
        case nil: return false
        case .served, .servedStale: return true
        default: return settlement(of: cache)?.servesStored == true
        }
    }
}

/// The result for a browser's user.
enum LabAnswer: Sendable {
    case response(ClientResponse)
    case failure(String)
}

extension LabResult {
    /// The status code that the user sees; `nil` without a response.
    var status: Int? {
        if case .response(let response)? = answer { response.response.status.code } else { nil }
    }

    /// The entity tag that the user sees; `nil` without one.
    var entityTag: String? {
        if case .response(let response)? = answer { response.response.headerFields[.eTag] } else { nil }
    }
}
