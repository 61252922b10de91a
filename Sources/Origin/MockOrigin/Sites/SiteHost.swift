import Clocks
import ControlServing
import HTTPServing
import Locks
import OriginScript

/// The site that is served, and the state of its routes.
final class SiteHost: Sendable {
    /// The answer to a request, and its route.
    struct Found {
        var answer: Answer
        var label: String
        var count = 1
        var elapsedSeconds = 0.0
        var startedAt: HTTPMoment
        var parameters: [String: String] = [:]
        /// Whether `steady` may succeed for the target.
        var isLikelySteady = true
    }
    private struct State {
        /// The site as loaded from files or code.
        var loaded: Site
        /// The site as served, which a control API may have changed.
        var site: Site
        var script: Script
        var pages: DemoSite
        var startedAt: HTTPMoment
        var startedElapsed: Duration
        /// Initial states of machines that differ from the default.
        var first: [String: String] = [:]
        var generation = 0
    }
    private let contents: ContentStore
    private let clock: any TimeSource
    private let state: Lock<State>
    private let edits = Lock(())
    /// The label of files that are served without a route.
    static let filesLabel = "files"

    init(_ site: Site, _ contents: ContentStore, _ clock: any TimeSource) {
        self.contents = contents
        self.clock = clock
        state = Lock(Self.state(site, clock))
    }

    /// Serves another site from now on; every route starts from the beginning.
    func replace(_ site: Site) {
        var new = Self.state(site, clock)
        state.withLock { state in
            new.generation = state.generation + 1
            new.first = state.first
            new.script.set(state.first)
            state = new
        }
    }

    /// Changes the site; unchanged routes keep their progress.
    func change(_ edit: (inout Site) throws(ControlProblem) -> Void) throws(ControlProblem) -> Site {
        // Serialized, because concurrent edits would overwrite each other.
        try edits.withLock { _ throws(ControlProblem) in
            var site = self.site
            try edit(&site)
            let (pages, changed) = (DemoSite(settings: site.pages), site)
            state.withLock { state in
                state.script = Script(changed.routes, continuing: state.script)
                (state.site, state.pages) = (changed, pages)
                state.generation += 1
            }
            return changed
        }
    }

    /// The site as served.
    var site: Site { state.withLock { $0.site } }

    /// The site as loaded from files or code.
    var loaded: Site { state.withLock { $0.loaded } }

    /// The routes with the number of requests each has answered, and the states of machines.
    var progress: (site: Site, counts: [Int], states: [String: String]) {
        state.withLock { ($0.site, $0.script.requestCounts, $0.script.states) }
    }

    /// Sets states of machines, now and after each reset.
    func begin(in states: [String: String]) {
        state.withLock { state in
            state.first = states
            state.script.set(states)
        }
    }

    /// Sets states of machines.
    func set(_ states: [String: String]) { state.withLock { $0.script.set(states) } }

    /// Returns the near misses of a request.
    func nearest(to request: ServedRequest) -> [NearMiss] {
        let (script, startedElapsed) = state.withLock { ($0.script, $0.startedElapsed) }
        let elapsed = (clock.elapsed - startedElapsed).inSeconds
        return NearMiss.nearest(to: RoutedRequest(request), in: script, elapsedSeconds: elapsed)
    }

    /// The built-in pages.
    var pages: DemoSite { state.withLock { $0.pages } }

    /// Returns the answer of a route or file; `nil` if there is none.
    func find(_ request: ServedRequest) -> Found? {
        let routed = RoutedRequest(request)
        if let found = findRoute(routed) { return found }
        // RFC 9110 §9.3.2: HEAD is GET without the content.
        if request.method == "HEAD" {
            var reading = request
            reading.method = "GET"
            if let found = findRoute(RoutedRequest(reading)) { return found }
        }
        guard let files = state.withLock({ $0.site.files }),
            contents.hasRequested(routed.decodedPath ?? routed.path)
        else { return nil }
        let startedAt = state.withLock { $0.startedAt }
        let isRead = request.method == "GET" || request.method == "HEAD"
        let answer = isRead ? files : .notAllowed(["GET", "HEAD"], request.method)
        return Found(answer: answer, label: Self.filesLabel, startedAt: startedAt)
    }

    /// Returns the methods of the routes whose path matches, if none has the request's method; otherwise empty.
    func methodsBesides(_ request: ServedRequest) -> [String] {
        let methods = state.withLock { $0.script.index }.methods(for: RoutedRequest(request))
        return methods.contains(request.method) ? [] : methods
    }

    private func findRoute(_ routed: RoutedRequest) -> Found? {
        while true {
            let (index, generation) = state.withLock { ($0.script.index, $0.generation) }
            let places = index.places(for: routed)
            if places.isEmpty { return nil }
            if let found = select(routed, places, generation) { return found }
            // The routes were replaced in the meantime: match the new ones.
            if state.withLock({ $0.generation }) == generation { return nil }
        }
    }

    private func select(_ routed: RoutedRequest, _ places: [Int], _ generation: Int) -> Found? {
        state.withLock { state in
            let elapsed = (clock.elapsed - state.startedElapsed).inSeconds
            guard state.generation == generation,
                let selection = state.script.next(routed, among: places, elapsedSeconds: elapsed)
            else { return nil }
            return Found(
                answer: selection.answer,
                label: selection.route.label,
                count: selection.count,
                elapsedSeconds: elapsed,
                startedAt: state.startedAt,
                parameters: selection.route.parameters(of: routed),
                isLikelySteady: state.script.index.isSteady(selection.place)
            )
        }
    }

    // MARK: Prepared responses

    /// Whether an answer was prepared for the current site.
    func isOfPresent(_ answer: PreparedAnswer) -> Bool {
        state.withLock { $0.generation == answer.source.generation }
    }

    /// Counts a request with a prepared response; returns false if the site has changed since.
    func count(_ answer: PreparedAnswer) -> Bool {
        state.withLock { state in
            guard state.generation == answer.source.generation else { return false }
            if let place = answer.source.place { state.script.count(place) }
            return true
        }
    }

    /// Returns the answer to every unconditional GET of a target; `nil` if answers differ.
    ///
    /// `base` is the path below which the site is mounted.
    func steady(_ request: ServedRequest, base: String) -> PreparedAnswer? {
        let state = state.withLock { $0 }
        let routed = RoutedRequest(request)
        var context = AnswerContext(
            request: ServedRequest(method: request.method, target: request.target),
            now: state.startedAt,
            startedAt: state.startedAt,
            base: base
        )
        let found: (answer: Answer, place: Int?, label: String?)?
        switch state.script.index.steadyPlace(for: routed) {
        case .unsteady: return nil
        case .none:
            found = unrouted(request, routed, state).flatMap {
                $0.answer.isSteady ? ($0.answer, nil, $0.label) : nil
            }
        case .route(let place):
            let route = state.script.index.routes[place]
            context.parameters = route.parameters(of: routed)
            found = route.answers.first.map { ($0, place, route.label) }
        }
        guard let found else { return nil }
        return PreparedAnswer(
            PreparedAnswer.Source(
                answer: found.answer,
                place: found.place,
                label: found.label,
                context: context,
                generation: state.generation
            )
        )
    }

    /// Returns the answer of a file or page if no route matches; `nil` if there is neither.
    private func unrouted(
        _ request: ServedRequest,
        _ routed: RoutedRequest,
        _ state: State
    ) -> (answer: Answer, label: String?)? {
        if let files = state.site.files, contents.hasRequested(routed.decodedPath ?? routed.path) {
            return (files, Self.filesLabel)
        }
        return DemoSite.hasPage(for: request) ? (state.pages.answer(request), nil) : nil
    }

    private static func state(_ site: Site, _ clock: any TimeSource) -> State {
        State(
            loaded: site,
            site: site,
            script: Script(site.routes),
            pages: DemoSite(settings: site.pages),
            startedAt: HTTPMoment(wallSeconds: clock.wallSeconds),
            startedElapsed: clock.elapsed
        )
    }
}
