import HTTPServing
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
    /// The route with a label of its own and contents in place of the files that have them.
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

    /// The same for any host, asked after all that name one.
    fileprivate var ofAnyHost: Route {
        var route = self
        route.label += " of any host"
        route.priority -= 1
        route.fields.removeAll { $0.name.lowercased() == FieldName.host.lowercased() }
        return route
    }
}
