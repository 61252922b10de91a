/// One call on one of several stores that share a folder.
package struct ScheduleStep: Sendable, Hashable, CustomStringConvertible {
    package enum Action: String, Sendable, CaseIterable {
        /// Stores a new version.
        case put
        /// Begins a request that is answered later.
        case ask
        /// Stores a new version as the answer to the request that was begun first, as a client does.
        case answer
        /// Looks up what is stored.
        case look
        /// Looks up what a request selects, which uses it.
        case select
        /// Begins to validate what is stored.
        case condition
        /// Freshens what was seen when the first validation began, as a client does.
        case confirm
        /// Invalidates the target URI.
        case invalidate
        case invalidateGroup
        /// Removes one variant.
        case remove
        case removeKey
        case removeURI
        case removePrefix
        /// Removes what has the resource's tag.
        case removeTag
        case removeOrigin
        case removeAll
        /// Removes what was stored since the version before the last ten.
        case removeSince
        /// Makes the memory tier of a store small or large.
        case shrink
        case grow
        case flush
        case reopen
        /// Ends the process of the store in the middle of whatever it does.
        case kill
    }

    package var action: Action
    /// Which store is called.
    package var store: Int
    /// What it is about, as an index of `Resource.all`.
    package var resource: Int
    /// Number of the step, which is that of the version it stores, and the second at which it is made.
    package var number: Int

    package init(_ action: Action, store: Int, resource: Int, number: Int) {
        self.action = action
        self.store = store
        self.resource = resource
        self.number = number
    }

    /// The step as text: action, store, resource, number.
    package var description: String { "\(action.rawValue) \(store) \(resource) \(number)" }

    /// Reads the step from its text.
    package init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count == 4, let action = Action(rawValue: String(words[0])), let store = Int(words[1]),
            let resource = Int(words[2]), let number = Int(words[3])
        else { return nil }
        self.init(action, store: store, resource: resource, number: number)
    }
}

extension ScheduleStep.Action {
    /// How often an action is chosen, in relation to the others.
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
    /// A step drawn at random.
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
    /// A schedule of `count` steps on some stores, drawn from a seed; few resources, so that steps meet.
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

    /// The schedule without steps that it fails without, as far as leaving out one or some in a row finds them.
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

/// A repeatable source of chance (SplitMix64).
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
