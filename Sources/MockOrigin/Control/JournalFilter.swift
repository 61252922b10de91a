import LocatedYAML
import OriginScript

/// Which exchanges of the journal are meant; written as a route writes which requests it is for.
struct JournalFilter {
    enum Key: String, MapKey {
        case path, method, query, fields, body, route, status, after, limit, count, times, timeout
        static let mapName = "a choice of exchanges"
    }
    private let index: RouteIndex
    private let route: String?
    private let status: Int?
    private let after: Int

    init(_ map: MapReader<Key>) {
        var wanted = Route(
            label: "",
            path: map.optional(.path, PathPattern.reader) ?? .any,
            methods: map.optional(.method, Reader.method.oneOrMore()) ?? [],
            query: map.optional(.query, QueryMatch.reader),
            answers: []
        )
        map.set(&wanted.fields, .fields, NamedMatch.fieldListReader)
        map.set(&wanted.body, .body, BodyMatch.listReader)
        index = RouteIndex([wanted])
        route = map.optional(.route, .text)
        status = map.optional(.status, .integer(in: 100...999))
        after = map.optional(.after, .integer(in: 0 ... .max)) ?? 0
    }

    func holds(for entry: JournalEntry) -> Bool {
        guard entry.number > after, route == nil || entry.route == route,
            status == nil || entry.status == status
        else { return false }
        return !index.places(for: RoutedRequest(entry.request)).isEmpty
    }
}
