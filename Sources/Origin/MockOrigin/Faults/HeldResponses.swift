import HTTPServing

/// The responses that are held until a release, with the labels of their routes.
struct HeldResponses {
    private var stalls: [(label: String, hold: Hold)] = []
    /// The number of connections limits the number of held responses.
    private static let maximumHeld = 4096

    mutating func add(_ stall: Hold, _ label: String) {
        if stalls.count >= Self.maximumHeld { stalls.removeFirst() }
        stalls.append((label, stall))
    }

    /// Removes and returns those of one label or, with `nil`, all.
    mutating func take(_ label: String?) -> [Hold] {
        let chosen = stalls.filter { label == nil || $0.label == label }
        stalls.removeAll { label == nil || $0.label == label }
        return chosen.map(\.hold)
    }
}
