import CacheSemantics
import Explanation
import HTTPTypes
import ReportFormats

/// The requests of a returning visitor's browser for one URL whose content has not changed.
package struct VisitorCost: Sendable {
    /// The times since the first visit for which costs are determined, in seconds: an hour, a day and a week.
    package static let times: [Int64] = [3_600, 86_400, 604_800]

    /// The absolute URL.
    package let url: String
    /// The bytes of content; `nil` if they are not known.
    package let size: Int?
    /// The cost at each of `times`.
    package let visits: [ReuseCost]

    /// Determines the costs of a result; `nil` if it has no response to GET, or an error instead.
    package init?(_ result: AuditedURL) {
        guard let exchange = result.exchange, exchange.request.method == .get, !result.isMadeUp,
            !result.isError
        else { return nil }
        url = result.url
        size = result.size
        var explained = exchange.explained
        explained.engine = AuditedCache.browser.engine
        let costs = Self.times.map { ReuseCosts.cost(of: explained, after: $0) }
        visits = costs.map { $0 == .validation && result.answersValidation == false ? .transfer : $0 }
    }

    /// Returns the requests at a visit.
    package func requests(_ visit: Int) -> Int { visits[visit] == .nothing ? 0 : 1 }

    /// Returns the bytes that a visit transfers although they have not changed; `nil` if they are not known.
    package func wasted(_ visit: Int) -> Int? { visits[visit] == .transfer ? size : 0 }

    /// Returns the bytes that a visit does not transfer; `nil` if they are not known.
    package func saved(_ visit: Int) -> Int? { visits[visit] == .transfer ? 0 : size }
}

extension AuditedURL {
    /// Whether a conditional request gets a 304; `nil` if none was sent.
    var answersValidation: Bool? {
        let answer = answers["if-none-match"] ?? answers["if-modified-since"]
        return answer.map { $0.status == 304 }
    }
}

/// The costs of all URLs.
package struct VisitorCosts: Sendable {
    /// The costs that have something to save, those that waste most first.
    package let urls: [VisitorCost]

    /// Determines the costs of a report.
    package init(_ report: AuditReport) {
        urls = report.urls.compactMap { VisitorCost($0) }.enumerated().sorted { left, right in
            let wasted = (Self.total(left.element), Self.total(right.element))
            return wasted.0 == wasted.1 ? left.offset < right.offset : wasted.0 > wasted.1
        }.map(\.element)
    }

    private static func total(_ cost: VisitorCost) -> Int {
        VisitorCost.times.indices.compactMap(cost.wasted).reduce(0, +)
    }

    /// Returns the requests of a visit to all URLs.
    package func requests(_ visit: Int) -> Int { urls.map { $0.requests(visit) }.reduce(0, +) }

    /// Returns the bytes, as far as they are known, that a visit to all URLs transfers although they have not changed.
    package func wasted(_ visit: Int) -> Int { urls.compactMap { $0.wasted(visit) }.reduce(0, +) }

    /// Returns the bytes, as far as they are known, that a visit to all URLs does not transfer.
    package func saved(_ visit: Int) -> Int { urls.compactMap { $0.saved(visit) }.reduce(0, +) }

    /// Returns a visit in words: its requests, and the bytes that it saves and wastes.
    package func summary(_ visit: Int) -> String {
        let unknown = urls.filter { $0.size == nil }.count
        return "\(counted(requests(visit), "request")) of \(urls.count), "
            + "\(ByteText.text(saved(visit))) saved, \(ByteText.text(wasted(visit))) wasted"
            + (unknown == 0 ? "" : ", without \(counted(unknown, "response")) of unknown size")
    }

    /// The times in words.
    package static let names = ["after an hour", "after a day", "after a week"]
}
