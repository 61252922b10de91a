import LocatedYAML
import OriginScript

/// The keys of a request that selects exchanges.
protocol JournalKey: MapKey {
    static var path: Self { get }
    static var method: Self { get }
    static var query: Self { get }
    static var fields: Self { get }
    static var body: Self { get }
    static var route: Self { get }
    static var status: Self { get }
    static var after: Self { get }
    static var limit: Self { get }
}

/// A filter for exchanges of the journal, in the format in which routes match requests.
struct JournalFilter {
    enum SearchKey: String, JournalKey {
        case path, method, query, fields, body, route, status, after, limit, times
        static let mapName = "a selection of exchanges"
    }
    enum WaitKey: String, JournalKey {
        case path, method, query, fields, body, route, status, after, limit, count, timeout
        static let mapName = "a condition to wait for"
    }
    private let index: RouteIndex
    private let route: String?
    private let status: Int?
    private let after: Int
    /// The maximum number of exchanges in the response.
    let limit: Int

    init<Key: JournalKey>(_ map: MapReader<Key>) {
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
        route = map.optional(.route, .quotedText)
        status = map.optional(.status, .integer(in: 100...999))
        after = map.optional(.after, .integer(in: 0 ... .max)) ?? 0
        limit = map.optional(.limit, .integer(in: 0 ... .max)) ?? .max
    }

    func holds(for entry: RecordedExchange) -> Bool {
        guard entry.number > after, route == nil || entry.route == route,
            status == nil || entry.status == status
        else { return false }
        return !index.places(for: RoutedRequest(entry.request)).isEmpty
    }
}
