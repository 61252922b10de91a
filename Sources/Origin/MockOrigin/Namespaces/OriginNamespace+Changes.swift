import Clocks
import ControlServing
import HTTPServing
import JSON
import Locks
public import OriginScript

/// Changes of what a namespace answers.
extension OriginNamespace: InjectionTarget {
    /// Releases the held responses of one route or, with `nil`, of all; returns their number.
    @discardableResult
    public func release(label: String?) -> Int { injector.release(label: label) }

    /// Makes a route give the answer with this number, from 1, from now on.
    public func use(answer: Int, label: String) {
        state.withLock { $0.site.script.pin(answer: answer, label: label) }
    }

    /// Replaces the network; `nil` is this machine's own.
    public func use(network: NetworkSchedule?) {
        injector.use(network: network)
        publish("network", ["profiles": .array(network?.phases.map { .string($0.profile.name) } ?? [])])
    }

    /// Replaces the faults.
    package func use(_ plan: FaultPlan) {
        injector.use(plan)
        publish("faults", ["faults": .integer(plan.faults.count)])
    }

    /// The routes with the number of requests each has answered, and the states of machines.
    var progress: (site: Site, counts: [Int], states: [String: String]) {
        state.withLock { ($0.site.site, $0.site.script.requestCounts, $0.site.script.states) }
    }

    /// Replaces the site; every route starts from its beginning.
    func replace(_ site: Site) {
        let start = startingNow
        state.withLock { $0.site.replace(site, start: start) }
        publish("routes", ["routes": .integer(site.routes.count)])
    }

    /// Changes the site; unchanged routes keep their progress.
    func change(_ edit: (inout Site) throws(ControlProblem) -> Void) throws(ControlProblem) {
        let changed = try edits.withLock { _ throws(ControlProblem) in
            var site = state.withLock { $0.site.site }
            try edit(&site)
            state.withLock { [site] in $0.site.change(to: site) }
            return site
        }
        publish("routes", ["routes": .integer(changed.routes.count)])
    }

    /// Sets states of machines, now and after each reset.
    func begin(in states: [String: String]) { state.withLock { $0.site.begin(in: states) } }

    /// Sets states of machines.
    func set(_ states: [String: String]) {
        state.withLock { $0.site.script.set(states) }
        publish("states", .object(states.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    /// Restores the loaded site, clears the journal, releases held responses, and closes the connections of those that the
    /// script still delays.
    ///
    /// With `keepsRoutes` routes and settings of pages stay as they are served; sequences, counts and states start from
    /// their beginning.
    func reset(keepsRoutes: Bool) {
        let start = startingNow
        state.withLock { state in
            if keepsRoutes { state.site.restart(start: start) } else { state.site.replace(start: start) }
        }
        injector.reset()
        endDelays()
        journal.clear()
        publish("reset", [:])
    }

    /// Closes the connections of responses that the script or its faults still delay.
    func endDelays() {
        let (live, pauses) = state.withLock { (Array($0.live.values), Array($0.pauses.values)) }
        for pause in pauses { pause.resume() }
        for exchange in live { exchange.stopWaiting() }
    }

    /// Publishes an event that is not an exchange.
    func publish(_ name: String, _ value: JSONValue) {
        notices.add(name, value)
        journal.readers.notify()
    }

    private var startingNow: ServedSite.Start {
        ServedSite.Start(moment: HTTPTimestamp(wallSeconds: clock.wallSeconds), elapsed: clock.elapsed)
    }
}
