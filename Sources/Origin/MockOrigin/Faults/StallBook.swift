import HTTPServing

/// The answers that wait to be released, each under the label of its route.
struct StallBook {
    private var stalls: [(label: String, hold: Hold)] = []
    /// More cannot wait at once, because each has a connection.
    private static let most = 4096

    mutating func add(_ stall: Hold, _ label: String) {
        if stalls.count >= Self.most { stalls.removeFirst() }
        stalls.append((label, stall))
    }

    /// Takes out those of one label or, with `nil`, all.
    mutating func take(_ label: String?) -> [Hold] {
        let chosen = stalls.filter { label == nil || $0.label == label }
        stalls.removeAll { label == nil || $0.label == label }
        return chosen.map(\.hold)
    }
}
