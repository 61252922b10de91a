package import HTTPServing
package import OriginScript

/// Faults of messages that a proxy passes on, which counts and names connections and requests itself.
extension FaultInjector {
    /// The inputs of a decision on the faults of a passed message, besides the time.
    package struct Passage: Sendable {
        /// The connection and the request, such as `connection#3 request#2`.
        package var name: String
        /// The path without query; `nil` for a connection.
        package var path: String?
        /// The number, from 1, of the request or connection among those that the faults are for.
        package var number: Int
        /// The rule whose faults are meant; empty for the faults of the whole proxy.
        package var rule = ""

        package init(name: String, path: String? = nil, number: Int, rule: String = "") {
            self.name = name
            self.path = path
            self.number = number
            self.rule = rule
        }
    }

    /// Returns the faults that happen to a connection before its first request is read.
    package func connectionFaults(_ passage: Passage) -> [Fault] {
        resolved(passage) { $0.ofConnections }
    }

    /// Returns the faults of the whole proxy that happen to a request and its response.
    package func requestFaults(_ passage: @autoclosure () -> Passage) -> [Fault] {
        isActive ? resolved(passage()) { $0.ofRequests } : []
    }

    /// Returns which of a rule's faults happen to a request and its response.
    package func faults(_ faults: [Fault], _ passage: @autoclosure () -> Passage) -> [Fault] {
        faults.isEmpty ? [] : resolved(passage()) { _ in faults }
    }

    /// Returns whether a rule affects a request, and logs the decision.
    package func isDrawn(_ chance: Double, _ passage: Passage) -> Bool {
        consult { state, _ in
            let plan = state.scheduler.plan
            let (scope, name) = (plan.scope + " " + passage.rule, passage.name)
            let draw = FaultDraw(seed: plan.seed, scope: scope, request: name)
            let isDrawn = draw.unit(.beforeHead, "rule chance") < chance
            let outcome = "chance \(isDrawn ? "yes" : "no")"
            let decision = FaultDecision(scope: scope, request: name, fault: "rule", outcome: outcome)
            state.scheduler.note(decision)
            return isDrawn
        }
    }

    /// Notes that a message waits for a release.
    package func park(at hold: Hold, label: String) {
        consult { state, _ in state.stalls.add(hold, label) }
    }

    private func resolved(_ passage: Passage, _ faults: (FaultPlan) -> [Fault]) -> [Fault] {
        consult { state, elapsed in
            let plan = state.scheduler.plan
            if plan.faults.isEmpty, passage.rule.isEmpty { return [] }
            let scope = passage.rule.isEmpty ? plan.scope : plan.scope + " " + passage.rule
            let draw = FaultDraw(seed: plan.seed, scope: scope, request: passage.name)
            let moment = FaultMoment(number: passage.number, path: passage.path, elapsed: elapsed, draw: draw)
            return state.scheduler.resolved(faults(plan), moment)
        }
    }
}
