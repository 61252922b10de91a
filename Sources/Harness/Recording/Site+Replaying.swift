public import FaultProxy
import HTTPServing
public import LocatedYAML
public import MockOrigin
import OriginScript

extension Site {
    /// Returns a site that responds as recorded, with the same routes as `FixtureWriter` writes.
    ///
    /// With several origins, a request is served as the host in its `Host`, or as the first host with its path if `Host`
    /// matches none. Secrets are kept, because nothing is written.
    public static func replaying(_ exchanges: [CapturedExchange]) throws(YAMLProblems) -> Site {
        let isOfAnyHost = Set(exchanges.map(\.origin)).count > 1
        var book = FixtureCollection(redaction: Redaction(isOn: false), isOfAnyHost: isOfAnyHost)
        for exchange in exchanges { _ = book.add(exchange) }
        let contents = book.contents
        var routes: [Route] = []
        for (name, text) in book.files {
            for (number, route) in try SiteFile.decode(text, file: name).routes.enumerated() {
                let title = name.dropLast(".yaml".count)
                let label = number == 0 ? String(title) : "\(title) \(number + 1)"
                routes.append(route.with(contents, label: label))
            }
        }
        return Site(routes: isOfAnyHost ? routes + routes.map(\.ofAnyHost) : routes)
    }
}

extension Route {
    /// Returns the route with its own label, and with content in place of file names.
    fileprivate func with(_ contents: [String: [UInt8]], label: String) -> Route {
        var route = self
        route.label = label
        for index in route.answers.indices {
            guard case .file(let name) = route.answers[index].body, let bytes = contents[name] else {
                continue
            }
            route.answers[index].body = .bytes(bytes)
        }
        return route
    }

    /// Returns the route for any host, matched after all routes with a host.
    fileprivate var ofAnyHost: Route {
        var route = self
        route.label += " of any host"
        route.priority -= 1
        route.fields.removeAll { $0.name.lowercased() == FieldName.host.lowercased() }
        return route
    }
}
