import HTTPServing
import OriginScript

/// A site as it is served, with the progress of its routes.
struct ServedSite {
    /// The time from which a site's changes are counted.
    struct Start {
        var moment: HTTPTimestamp
        /// By the namespace's clock.
        var elapsed: Duration
    }
    /// The response to a request, before faults.
    struct Selection {
        var answer: Answer
        /// Label of the route, or that of files; `nil` for a page, or where nothing matches.
        var label: String?
        /// The number of the request at the route, from 1; `nil` without one.
        var count: Int?
        var parameters: [String: String] = [:]
        /// The near misses where nothing matches.
        var nearest: [String] = []
        /// Whether `steady` may succeed for the target.
        var isLikelySteady = false
    }
    /// The site as loaded from files or code.
    private let loaded: Site
    /// The site as served, which a control API may have changed.
    private(set) var site: Site
    var script: Script
    /// The built-in pages; `nil` if they are not served.
    private(set) var pages: DemoSite?
    let start: Start
    /// Differs after each change of the routes.
    private(set) var generation = 0
    /// Whether any answer has its own faults.
    private(set) var hasFaults: Bool
    /// Initial states of machines that differ from the default.
    private var first: [String: String] = [:]
    /// The label of files that are served without a route.
    private static let filesLabel = "files"
    /// The label of requests that are passed to the upstream without a route.
    private static let upstreamLabel = "upstream"

    init(_ site: Site, pages matching: PageMatching?, start: Start) {
        (loaded, self.site, self.start) = (site, site, start)
        script = Script(site.routes)
        pages = matching.map { DemoSite(settings: site.pages, matching: $0) }
        hasFaults = site.hasFaults
    }

    // MARK: Changes

    /// Serves another site, or the loaded one, every route of it from its beginning.
    mutating func replace(_ site: Site? = nil, start: Start) {
        var new = ServedSite(site ?? loaded, pages: pages?.matching, start: start)
        new.generation = generation + 1
        new.begin(in: first)
        self = new
    }

    /// Starts the site, as it is served now, from its beginning.
    mutating func restart(start: Start) {
        let current = site
        replace(start: start)
        change(to: current)
    }

    /// Serves the changed site; unchanged routes keep their progress.
    mutating func change(to site: Site) {
        self.site = site
        script = Script(site.routes, continuing: script)
        pages = pages.map { DemoSite(settings: site.pages, matching: $0.matching) }
        hasFaults = site.hasFaults
        generation += 1
    }

    /// Sets states of machines, now and after each replacement.
    mutating func begin(in states: [String: String]) {
        first = states
        script.set(states)
    }

    // MARK: Selecting

    /// Returns the answer of the first of some routes that match, and counts it; `nil` if none matches.
    mutating func select(_ routed: RoutedRequest, among places: [Int], elapsedSeconds: Double) -> Selection? {
        guard let found = script.next(routed, among: places, elapsedSeconds: elapsedSeconds) else {
            return nil
        }
        return Selection(
            answer: found.answer,
            label: found.route.label,
            count: found.count,
            parameters: found.route.parameters(of: routed),
            isLikelySteady: pages != nil && script.index.isSteady(found.place)
        )
    }

    /// Returns the answer where no route matches; with `passes`, what is neither a file nor a page is passed to the upstream.
    func unmatched(
        _ routed: RoutedRequest,
        _ contents: ContentStore,
        elapsedSeconds: Double,
        passes: Bool
    ) -> Selection {
        guard let pages else {
            return Selection(answer: .plain(status: 404, "The script has no route for \(routed.path)."))
        }
        // RFC 9110 §9.3.6: an origin server opens no tunnel.
        if routed.request.method == "CONNECT" {
            return Selection(answer: .plain(status: 501, "CONNECT is not supported: no tunnel is opened."))
        }
        if let selection = unrouted(routed, contents) { return selection }
        if passes { return Selection(answer: .passed(), label: Self.upstreamLabel) }
        let nearest = NearMiss.nearest(to: routed, in: script, elapsedSeconds: elapsedSeconds).map(\.text)
        let (method, methods) = (routed.request.method, script.index.methods(for: routed))
        // If the method is among them, something else differs.
        let isRefused = !methods.isEmpty && !methods.contains(method)
        let answer = isRefused ? Answer.notAllowed(methods, method) : pages.answer(routed.request)
        return Selection(answer: answer.naming(nearest), nearest: nearest)
    }

    /// Whether a route matches a request, or a file is at its path.
    func serves(_ routed: RoutedRequest, _ contents: ContentStore) -> Bool {
        if hasFile(for: routed, contents) || !script.index.places(for: routed).isEmpty { return true }
        // RFC 9110 §9.3.2: HEAD is GET without the content.
        guard routed.request.method == "HEAD" else { return false }
        var reading = routed.request
        reading.method = "GET"
        return !script.index.places(for: RoutedRequest(reading)).isEmpty
    }

    private func hasFile(for routed: RoutedRequest, _ contents: ContentStore) -> Bool {
        site.files != nil && contents.hasRequested(routed.decodedPath ?? routed.path)
    }

    /// Returns the answer of a file or page; `nil` if there is neither.
    private func unrouted(_ routed: RoutedRequest, _ contents: ContentStore) -> Selection? {
        let request = routed.request
        if let files = site.files, hasFile(for: routed, contents) {
            let isRead = request.method == "GET" || request.method == "HEAD"
            let answer = isRead ? files : Answer.notAllowed(["GET", "HEAD"], request.method)
            return Selection(answer: answer, label: Self.filesLabel, isLikelySteady: true)
        }
        guard let pages else { return nil }
        let answer = pages.answer(request)
        // A page whose settings specify 404 exists.
        let isThere = answer.status != 404 || pages.hasPage(for: request)
        return isThere ? Selection(answer: answer, isLikelySteady: true) : nil
    }

    /// Returns the answer to every unconditional GET of a target; `nil` if answers differ.
    ///
    /// `base` is the path below which the site is mounted.
    func steady(_ request: ServedRequest, base: String, _ contents: ContentStore) -> PreparedAnswer? {
        let routed = RoutedRequest(ServedRequest(method: request.method, target: request.target))
        var found: Selection?
        var place: Int?
        switch script.index.steadyPlace(for: routed) {
        case .unsteady: break
        // The list of pages depends on Accept.
        case .none where pages != nil && routed.path == "/": break
        case .none: found = unrouted(routed, contents).flatMap { $0.answer.isSteady ? $0 : nil }
        case .route(let steady):
            let route = script.index.routes[steady]
            place = steady
            found = route.answers.first.map {
                Selection(answer: $0, label: route.label, parameters: route.parameters(of: routed))
            }
        }
        guard let found else { return nil }
        var context = AnswerContext(request: routed.request, now: start.moment, startedAt: start.moment)
        (context.base, context.parameters) = (base, found.parameters)
        return PreparedAnswer(
            PreparedAnswer.Source(
                answer: found.answer,
                place: place,
                label: found.label,
                context: context,
                generation: generation
            )
        )
    }
}

extension Site {
    fileprivate var hasFaults: Bool { routes.contains { $0.answers.contains { !$0.faults.isEmpty } } }
}

extension Answer {
    /// Returns the answer with a list of near misses.
    fileprivate func naming(_ routes: [String]) -> Answer {
        guard !routes.isEmpty, case .text(let text) = body else { return self }
        var answer = self
        let lines = routes.map { "  \($0)\n" }.joined()
        answer.body = .text("\(text)No route matches. Near misses:\n\(lines)")
        return answer
    }
}
