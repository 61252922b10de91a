/// One call on one of several stores that share a folder.
package struct ScheduleStep: Sendable, Hashable, CustomStringConvertible {
    package enum Action: String, Sendable, CaseIterable {
        /// Stores a new version.
        case put
        /// Starts a request that is answered later.
        case ask
        /// Stores a new version as the answer to the oldest started request, as a client does.
        case answer
        /// Looks up an entry.
        case look
        /// Looks up the entry that a request selects, which counts as a use.
        case select
        /// Starts a validation of the stored entry.
        case condition
        /// Freshens the entry that the oldest validation has seen, as a client does.
        case confirm
        /// Invalidates the target URI.
        case invalidate
        case invalidateGroup
        /// Removes one variant.
        case remove
        case removeKey
        case removeURI
        case removePrefix
        /// Removes the entries with the resource's tag.
        case removeTag
        case removeOrigin
        case removeAll
        /// Removes entries stored since the version before the last ten.
        case removeSince
        /// Makes the memory tier of a store small or large.
        case shrink
        case grow
        case flush
        case reopen
        /// Ends the process of the store at any point.
        case kill
    }

    package var action: Action
    /// The store that is called.
    package var store: Int
    /// The index of its resource in `Resource.all`.
    package var resource: Int
    /// The number of the step, of the version that it stores, and of the second at which it is performed.
    package var number: Int

    package init(_ action: Action, store: Int, resource: Int, number: Int) {
        self.action = action
        self.store = store
        self.resource = resource
        self.number = number
    }

    /// The step as text: action, store, resource, number.
    package var description: String { "\(action.rawValue) \(store) \(resource) \(number)" }

    /// Parses the step from its text.
    package init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count == 4, let action = Action(rawValue: String(words[0])), let store = Int(words[1]),
            let resource = Int(words[2]), let number = Int(words[3])
        else { return nil }
        self.init(action, store: store, resource: resource, number: number)
    }
}

extension ScheduleStep.Action {
    /// The relative frequency of an action.
    fileprivate var weight: Int {
        switch self {
        case .put: 8
        case .look: 6
        case .select: 5
        case .ask, .answer, .invalidate: 4
        case .condition, .confirm, .flush: 3
        case .removeURI, .invalidateGroup, .removeKey, .removePrefix, .removeTag, .remove: 2
        case .removeOrigin, .removeAll, .removeSince, .shrink, .grow, .reopen: 1
        case .kill: 0
        }
    }

    private static let drawn: [ScheduleStep.Action] = allCases.flatMap {
        Array(repeating: $0, count: $0.weight)
    }

    static func draw(_ generator: inout some RandomNumberGenerator) -> Self {
        drawn.randomElement(using: &generator) ?? .look
    }
}

extension ScheduleStep {
    /// Returns a random step.
    package static func drawn(
        _ generator: inout some RandomNumberGenerator,
        stores: Int,
        number: Int
    ) -> ScheduleStep {
        ScheduleStep(
            .draw(&generator),
            store: Int.random(in: 0..<stores, using: &generator),
            resource: Int.random(in: 0..<Resource.all.count, using: &generator),
            number: number
        )
    }
}

extension [ScheduleStep] {
    /// Creates a schedule of `count` steps on some stores from a seed; it has few resources, so that steps conflict.
    package init(seed: UInt64, count: Int, stores: Int) {
        var generator = SplitMix(seed: seed)
        let offset = Int.random(in: 0..<Resource.all.count, using: &generator)
        let span = Int.random(in: 1...4, using: &generator)
        self = (1...count).map { number in
            ScheduleStep(
                .draw(&generator),
                store: Int.random(in: 0..<stores, using: &generator),
                resource: (offset + Int.random(in: 0..<span, using: &generator)) % Resource.all.count,
                number: number
            )
        }
    }

    /// Returns a shorter schedule that still fails, found by leaving out one or several successive steps.
    package func shrunk(_ fails: ([ScheduleStep]) -> Bool) -> [ScheduleStep] {
        var current = self
        var length = current.count / 2
        while length > 0 {
            var start = 0
            while start < current.count {
                var shorter = current
                shorter.removeSubrange(start..<Swift.min(start + length, current.count))
                if fails(shorter) { current = shorter } else { start += length }
            }
            length /= 2
        }
        return current
    }
}

/// A repeatable random number generator (SplitMix64).
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
