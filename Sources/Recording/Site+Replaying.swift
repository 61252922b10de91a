public import LocatedYAML
public import MockOrigin
import OriginScript

extension Site {
    /// The site that answers as exchanges were answered, by the same routes as `FixtureWriter` writes.
    ///
    /// Where the exchanges are of several origins a request is answered as the host that its `Host` names, and one that
    /// names none of them as the first that has its path. Nothing is taken out, because nothing is written.
    public static func replaying(_ exchanges: [CapturedExchange]) throws(YAMLProblems) -> Site {
        let isOfAnyHost = Set(exchanges.map(\.origin)).count > 1
        var book = FixtureBook(redaction: Redaction(isOn: false), isOfAnyHost: isOfAnyHost)
        for exchange in exchanges { _ = book.add(exchange) }
        guard book.count > 0 else { return Site() }
        var site = try SiteFile.decode(book.text, file: "replay.yaml")
        site.files = nil
        site.routes = site.routes.map { $0.with(book.contents) }
        if isOfAnyHost { site.routes += site.routes.map(\.ofAnyHost) }
        return site
    }
}

extension Route {
    /// The route with contents in place of the files that have them.
    fileprivate func with(_ contents: [String: [UInt8]]) -> Route {
        var route = self
        for index in route.answers.indices {
            guard case .file(let name) = route.answers[index].body, let bytes = contents[name] else {
                continue
            }
            route.answers[index].body = .bytes(bytes)
        }
        return route
    }

    /// The same for any host, asked after all that name one.
    fileprivate var ofAnyHost: Route {
        var route = self
        route.label += " of any host"
        route.priority -= 1
        route.fields.removeAll { $0.name.lowercased() == FieldNames.host.lowercased() }
        return route
    }
}
