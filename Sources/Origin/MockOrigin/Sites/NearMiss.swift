import HTTPServing
import OriginScript

/// A route that did not match a request, with the differences.
struct NearMiss: Sendable, Hashable {
    var label: String
    /// The differences, each in the form `what is …, expected …`.
    var differences: [String]

    /// The near miss as one line of text.
    var text: String { "\(label): \(differences.joined(separator: "; "))" }

    /// The number of near misses reported.
    private static let limit = 3
    /// The number of routes compared, which bounds the time of a request without a match.
    private static let maximumComparisons = 1000

    /// Returns the near misses of a script: those with the fewest differences first, then those with the most similar
    /// path.
    static func nearest(to request: RoutedRequest, in script: Script, elapsedSeconds: Double) -> [NearMiss] {
        let segments = request.segments
        let ranked = script.index.routes.prefix(maximumComparisons).enumerated().map { index, route in
            let differences = Differences(request, segments, route, script, elapsedSeconds)
            return (
                place: index, distance: differences.distance, label: route.label, texts: differences.texts
            )
        }
        let nearest = ranked.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(limit)
        return nearest.map { NearMiss(label: $0.label, differences: $0.texts) }
    }

    /// Returns the distance of a request from a route, and the differences; empty if only a route before it matches, too.
    static func distance(
        of request: RoutedRequest,
        from route: Route,
        in script: Script,
        elapsedSeconds: Double
    ) -> (distance: Int, differences: [String]) {
        let differences = Differences(request, request.segments, route, script, elapsedSeconds)
        return (differences.distance, differences.texts)
    }
}

/// Collects the differences between a request and a route.
private struct Differences {
    private(set) var texts: [String] = []
    private(set) var distance = 0

    init(
        _ request: RoutedRequest,
        _ segments: [String],
        _ route: Route,
        _ script: Script,
        _ elapsedSeconds: Double
    ) {
        comparePath(request, segments, route.path)
        let method = request.request.method
        if !route.methods.isEmpty, !route.methods.contains(method) {
            add("method", found: method, expected: route.methods.joined(separator: " or "))
        }
        compareQuery(request, route)
        for match in route.fields {
            let value = request.request.fields.combined(match.name)
            compare(match, "field \(match.name)", value.map { [$0] } ?? [])
        }
        for match in route.body { compareBody(request, match) }
        compareMoment(route, script, elapsedSeconds)
    }

    private mutating func add(_ what: String, found: String, expected: String, weight: Int = 10) {
        texts.append("\(what) is \(found), expected \(expected)")
        distance += weight
    }

    private mutating func comparePath(_ request: RoutedRequest, _ segments: [String], _ path: PathPattern) {
        guard !path.matches(request, segments) else { return }
        let wanted = path.description.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let same = zip(wanted, segments).count { $0.hasPrefix("{") || $0 == "*" || $0 == $1 }
        let apart = max(wanted.count, segments.count) - same
        // Of equally distant paths, the one with the longest common prefix is nearer.
        let common = zip(path.description.utf8, request.path.utf8).prefix { $0 == $1 }.count
        add("path", found: request.path, expected: path.description, weight: 10 + 10 * apart - min(common, 9))
    }

    private mutating func compareQuery(_ request: RoutedRequest, _ route: Route) {
        switch route.query {
        case nil: break
        case .exact(let query):
            guard query != request.query ?? "" else { return }
            add("query", found: request.query.map { "\"\($0)\"" } ?? "none", expected: "\"\(query)\"")
        case .absent:
            guard let query = request.query else { return }
            add("query", found: "\"\(query)\"", expected: "none")
        case .parameters(let matches):
            for match in matches {
                compare(match, "query parameter \(match.name)", request.queryValues(match.name))
            }
        }
    }

    private mutating func compare(_ match: NamedMatch, _ what: String, _ values: [String]) {
        guard !match.holds(for: values) else { return }
        let found = values.isEmpty ? "missing" : "\"\(values.joined(separator: ", ").prefix(100))\""
        add(what, found: found, expected: match.match.expectation)
    }

    private mutating func compareBody(_ request: RoutedRequest, _ match: BodyMatch) {
        switch match {
        case .text(let match):
            let text = String(decoding: request.request.body.prefix(100), as: UTF8.self)
            if !match.holds(for: String(decoding: request.request.body, as: UTF8.self)) {
                add("content", found: "\"\(text)\"", expected: match.expectation)
            }
        case .json(let path, let match):
            compare(NamedMatch("", match), "JSON value \(path.text)", request.jsonTexts(path))
        case .form(let match): compare(match, "form value \(match.name)", request.formValues(match.name))
        case .part(let match): compare(match, "part \(match.name)", request.partTexts(match.name))
        }
    }

    private mutating func compareMoment(_ route: Route, _ script: Script, _ elapsedSeconds: Double) {
        if !route.isOpen(elapsedSeconds) {
            let after = route.after.map { " from \($0)" } ?? ""
            let until = route.until.map { " until \($0)" } ?? ""
            add(
                "the moment",
                found: "\(Duration.saturating(seconds: elapsedSeconds).wholeSeconds) seconds after the start",
                expected: "one\(after)\(until)"
            )
        }
        for (machine, state) in route.when.sorted(by: { $0.key < $1.key })
        where script.state(of: machine) != state {
            add("state of \(machine)", found: script.state(of: machine), expected: state)
        }
    }
}

extension PathPattern {
    fileprivate func matches(_ request: RoutedRequest, _ segments: [String]) -> Bool {
        switch self {
        case .any: true
        case .exact(let path): path == request.path || path == request.decodedPath
        case .prefix(let prefix):
            request.path.hasPrefix(prefix) || request.decodedPath?.hasPrefix(prefix) == true
        case .template(let template): template.parameters(of: segments) != nil
        }
    }
}
