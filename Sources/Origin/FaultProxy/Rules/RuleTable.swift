import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript

/// The present rules of a proxy and their progress.
final class RuleTable: Sendable {
    /// The effect of a rule on a request.
    struct Choice: Sendable {
        let rule: ProxyRule
        let selection: Script.Selection
        /// The answer; `nil` if the request's number or chance does not let the rule affect it.
        let answer: Answer?

        /// The name of the rule in logs and releases.
        var label: String { rule.route.label }
    }
    private struct State {
        var file: ProxyRuleFile
        var script: Script
        /// The time from which `after` and `until` are counted.
        var began: Duration
    }
    /// For `same-etag`.
    let firstTags = FirstTags()
    private let clock: any TimeSource
    private let state: Lock<State>

    init(_ file: ProxyRuleFile, clock: any TimeSource) {
        self.clock = clock
        let script = Script(file.rules.map(\.route))
        state = Lock(State(file: file, script: script, began: clock.elapsed))
    }

    /// The rules that are in effect.
    var file: ProxyRuleFile { state.withLock { $0.file } }

    /// The number of requests that each rule has matched, in order.
    var requestCounts: [Int] { state.withLock { $0.script.requestCounts } }

    /// The states of machines that are not in their first.
    var states: [String: String] { state.withLock { $0.script.states } }

    /// The time since the rules began.
    var elapsed: Duration { clock.elapsed - state.withLock { $0.began } }

    /// Replaces the rules; those that are equal before and after keep their progress.
    func use(_ file: ProxyRuleFile) {
        state.withLock { state in
            state.script = Script(file.rules.map(\.route), continuing: state.script)
            state.file = file
        }
    }

    /// Changes the rules; those that are equal before and after keep their progress.
    @discardableResult
    func change<Result, Failure>(_ edit: (inout [ProxyRule]) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try state.withLock { state throws(Failure) in
            var rules = state.file.rules
            let result = try edit(&rules)
            state.script = Script(rules.map(\.route), continuing: state.script)
            state.file = ProxyRuleFile(rules: rules, faults: state.file.faults, folder: state.file.folder)
            return result
        }
    }

    /// Restarts the progress of all rules.
    func reset() {
        firstTags.clear()
        state.withLock { state in
            state.script = Script(state.file.rules.map(\.route))
            state.began = clock.elapsed
        }
    }

    /// Returns the decision of the first matching rule, and counts the request; `nil` if none matches.
    ///
    /// `draws` returns whether a chance is met.
    func choose(_ request: ProxiedRequestHead, draws: (ProxyRule) -> Bool) -> Choice? {
        guard state.withLock({ !$0.file.rules.isEmpty }) else { return nil }
        let routed = RoutedRequest(request.served)
        let now = clock.elapsed
        let found = state.withLock { state -> (ProxyRule, Script.Selection)? in
            let elapsed = (now - state.began).seconds
            guard let selection = state.script.next(routed, elapsedSeconds: elapsed) else { return nil }
            return (state.file.rules[selection.place], selection)
        }
        guard let (rule, selection) = found else { return nil }
        let isAffected = rule.requests?.contains(selection.count) ?? true
        let answer = isAffected && (rule.chance >= 1 || draws(rule)) ? selection.answer : nil
        return Choice(rule: rule, selection: selection, answer: answer)
    }
}

extension ProxiedRequestHead {
    /// The request as the routes of a mock origin see it, without its content.
    var served: ServedRequest {
        ServedRequest(
            method: method,
            target: target,
            fields: raw.fields.map { ServedField($0.name, $0.value) },
            isHTTP11: raw.startWords.last != "HTTP/1.0"
        )
    }
}
