public import CacheOracle

/// Finds a smaller sequence that still fails.
public struct SequenceShrinker {
    private let fails: (ExchangeSequence) -> Bool

    /// Creates a shrinker; `fails` says whether a sequence shows the failure.
    public init(_ fails: @escaping (ExchangeSequence) -> Bool) { self.fails = fails }

    /// Returns a sequence of which no step, field or deviation can be left out.
    public func shrink(_ sequence: ExchangeSequence) -> ExchangeSequence {
        var smallest = sequence
        while let smaller = candidates(smallest).first(where: fails) { smallest = smaller }
        return smallest
    }

    private func candidates(_ sequence: ExchangeSequence) -> [ExchangeSequence] {
        var found: [ExchangeSequence] = []
        func add(_ change: (inout ExchangeSequence) -> Void) {
            var changed = sequence
            change(&changed)
            if changed != sequence { found.append(changed) }
        }
        for index in sequence.steps.indices.reversed() { add { $0.steps.remove(at: index) } }
        for index in sequence.resources.indices where sequence.resources.count > 1 {
            add { $0.resources.remove(at: index) }
        }
        for index in sequence.resources.indices {
            add { $0.resources[index].selecting = [] }
            add { $0.resources[index].modified = .unknown }
            add { $0.resources[index].tags = .none }
        }
        for (index, step) in sequence.steps.enumerated() {
            for smaller in candidates(step) { add { $0.steps[index] = smaller } }
        }
        return found
    }

    private func candidates(_ step: Step) -> [Step] {
        switch step {
        case .advance(let seconds):
            return seconds == 1 ? [] : [.advance(seconds / 2), .advance(seconds - seconds.signum())]
        case .calls(let calls, let order):
            var steps: [Step] = []
            for index in calls.indices where calls.count > 1 {
                var (fewer, ranks) = (calls, order)
                fewer.remove(at: index)
                ranks.remove(at: index)
                steps.append(.calls(fewer, order: ranks))
            }
            if order != order.sorted() { steps.append(.calls(calls, order: order.sorted())) }
            for (index, call) in calls.enumerated() {
                steps += candidates(call).map { smaller in
                    var changed = calls
                    changed[index] = smaller
                    return .calls(changed, order: order)
                }
            }
            return steps
        }
    }

    private func candidates(_ call: Call) -> [Call] {
        var found: [Call] = []
        func add(_ change: (inout Call) -> Void) {
            var changed = call
            change(&changed)
            if changed != call { found.append(changed) }
        }
        add { $0.request.method = "GET" }
        add { $0.request.hasContent = false }
        for name in call.request.fields.names { add { $0.request.fields[name] = nil } }
        if call.answers.count > 1 { add { $0.answers.removeLast() } }
        for index in call.answers.indices {
            for change in Self.simplifications { add { change(&$0.answers[index]) } }
            for members in fewer(call.answers[index].cacheControl) {
                add { $0.answers[index].cacheControl = members }
            }
            for name in call.answers[index].fields.names { add { $0.answers[index].fields[name] = nil } }
            for omitted in call.answers[index].omitted {
                add { $0.answers[index].omitted.removeAll { $0 == omitted } }
            }
        }
        return found
    }

    private static let simplifications: [@Sendable (inout Answer) -> Void] = [
        { $0 = Answer() }, { $0.fails = false }, { $0.status = 200 }, { $0.changes = false },
        { $0.cacheControl = nil }, { $0.expires = nil }, { $0.age = nil }, { $0.dateOffset = 0 },
        { $0.delay = 0 }, { $0.isComposedEarly = false }, { $0.vary = nil }, { $0.ignoresConditions = false },
        { $0.ignoresRange = false },
        { $0.forced = nil },
        { $0.cacheControl = $0.cacheControl?.split(separator: "\n").joined(separator: ", ") },
    ]

    /// Returns the field value without each of its members in turn.
    private func fewer(_ value: String?) -> [String] {
        let members = (value ?? "").split(separator: ",").map(String.init)
        guard members.count > 1 else { return [] }
        return members.indices.map { index in
            var fewer = members
            fewer.remove(at: index)
            return fewer.joined(separator: ",").trimmingPrefixBlanks
        }
    }
}

extension String {
    fileprivate var trimmingPrefixBlanks: String { String(drop { $0 == " " }) }
}
