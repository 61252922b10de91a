import ControlServing
import JSON

/// The operations of the Toxiproxy API, with the statuses and messages of its `api.go`.
struct ToxiproxyOperations: Sendable {
    private typealias Action = @Sendable (ControlRequest) throws(ToxiproxyProblem) -> ControlAnswer
    /// The version that clients see; they decide by it whether to use PATCH.
    static let version = "2.12.0"

    let proxies: ToxicProxies

    /// All operations.
    var all: [ControlOperation] { ofAllProxies + ofOneProxy + ofToxics }

    private static func operation(
        _ endpoint: ControlEndpoint,
        _ summary: String,
        _ action: @escaping Action
    ) -> ControlOperation {
        let words = endpoint.path.split { "/{}".contains($0) }
        let name = ([endpoint.method.lowercased()] + words.map { $0.prefix(1).uppercased() + $0.dropFirst() })
            .joined()
        return ControlOperation(endpoint, name: name, summary) { request in
            do throws(ToxiproxyProblem) {
                // A page of another site can send requests to this machine, but not hide that it is a browser.
                if request.userAgent.hasPrefix("Mozilla/") || request.origin != nil { throw .browser }
                // Nor can it hide the name by which it has found this machine.
                guard request.isForThisMachine else { throw .foreignHost }
                return try action(request)
            } catch {
                return error.answer
            }
        }.with { operation in
            operation.access = .open
            operation.answer = ["type": ["object", "array"]]
        }
    }

    // MARK: All proxies

    private var ofAllProxies: [ControlOperation] {
        [
            Self.operation(.get("/proxies"), "Lists the proxies with their toxics.") { [proxies] _ in
                .json(.object(proxies.all.map { ($0.name, $0.json) }))
            },
            Self.operation(.post("/proxies"), "Creates a proxy.") {
                [proxies] request throws(ToxiproxyProblem) in
                let (name, definition) = try Self.newProxy(Self.content(request))
                return .json(status: 201, try proxies.create(name, definition).json)
            },
            Self.operation(.post("/populate"), "Creates or replaces several proxies.") {
                [proxies] request throws(ToxiproxyProblem) in
                try Self.populate(proxies, Self.content(request))
            },
            Self.operation(.post("/reset"), "Enables all proxies and removes all toxics.") {
                [proxies] _ throws(ToxiproxyProblem) in
                try proxies.reset()
                return .done
            },
            Self.operation(.get("/version"), "Shows the version of Toxiproxy whose API is implemented.") {
                _ in
                let text = JSONValue.object([("version", .string(Self.version))]).written() + "\n"
                return ControlAnswer(.bytes(Array(text.utf8), type: "application/json;charset=utf-8"))
            },
        ]
    }

    private static func content(_ request: ControlRequest) throws(ToxiproxyProblem) -> JSONValue {
        do throws(JSONProblem) {
            return try JSONValue(parsing: request.content)
        } catch {
            throw .badContent("\(error)")
        }
    }

    private static func newProxy(
        _ json: JSONValue,
        at place: String = ""
    ) throws(ToxiproxyProblem) -> (name: String, ToxicProxy.Definition) {
        guard let name = try json.text("name"), !name.isEmpty else { throw .missing("name" + place) }
        guard let upstream = try json.text("upstream"), !upstream.isEmpty else {
            throw .missing("upstream" + place)
        }
        let listen = try json.text("listen") ?? ""
        let isEnabled = try json.bool("enabled") ?? true
        return (name, .init(listen: listen.isEmpty ? ":0" : listen, upstream: upstream, isEnabled: isEnabled))
    }

    private static func populate(
        _ proxies: ToxicProxies,
        _ json: JSONValue
    ) throws(ToxiproxyProblem) -> ControlAnswer {
        guard case .array(let list) = json else { throw .badContent("expected an array of proxies") }
        var definitions: [(String, ToxicProxy.Definition)] = []
        for (index, json) in list.enumerated() {
            definitions.append(try newProxy(json, at: " at proxy \(index + 1)"))
        }
        var created: [JSONValue] = []
        do throws(ToxiproxyProblem) {
            for (name, definition) in definitions {
                created.append(try proxies.populate(name, definition).json)
            }
            return .json(status: 201, ["proxies": .array(created)])
        } catch {
            let shown: JSONValue = ["proxies": .array(created)]
            return .json(status: error.status, shown.adding(error.members))
        }
    }

    // MARK: One proxy

    private var ofOneProxy: [ControlOperation] {
        let path = "/proxies/{proxy}"
        let update: Action = { [proxies] request throws(ToxiproxyProblem) in
            let proxy = try proxies.find(request.parameter("proxy"))
            let json = try Self.content(request)
            var definition = proxy.definition
            if let listen = try json.text("listen"), !listen.isEmpty { definition.listen = listen }
            if let upstream = try json.text("upstream"), !upstream.isEmpty { definition.upstream = upstream }
            definition.isEnabled = try json.bool("enabled") ?? definition.isEnabled
            try proxy.update(definition)
            return .json(proxy.json)
        }
        return [
            Self.operation(.get(path), "Shows a proxy.") { [proxies] request throws(ToxiproxyProblem) in
                .json(try proxies.find(request.parameter("proxy")).json)
            },
            Self.operation(.post(path), "Changes a proxy; the form before Toxiproxy 2.6.", update),
            Self.operation(.patch(path), "Changes the listen address, the upstream, or enabled.", update),
            Self.operation(.delete(path), "Removes a proxy and ends its connections.") {
                [proxies] request throws(ToxiproxyProblem) in
                try proxies.remove(request.parameter("proxy"))
                return .done
            },
        ]
    }

    // MARK: Toxics

    private var ofToxics: [ControlOperation] {
        let (list, one) = ("/proxies/{proxy}/toxics", "/proxies/{proxy}/toxics/{toxic}")
        let update: Action = { [proxies] request throws(ToxiproxyProblem) in
            let (proxy, index) = try Self.find(request, proxies)
            var toxics = proxy.toxics
            try toxics[index].update(try Self.content(request))
            proxy.use(toxics)
            return .json(toxics[index].json)
        }
        return [
            Self.operation(.get(list), "Lists a proxy's toxics.") {
                [proxies] request throws(ToxiproxyProblem) in
                .json(.array(try proxies.find(request.parameter("proxy")).toxics.map(\.json)))
            },
            Self.operation(.post(list), "Adds a toxic.") { [proxies] request throws(ToxiproxyProblem) in
                let proxy = try proxies.find(request.parameter("proxy"))
                let toxic = try Toxic(try Self.content(request))
                let toxics = proxy.toxics
                guard !toxics.contains(where: { $0.name == toxic.name }) else { throw .toxicExists }
                proxy.use(toxics + [toxic])
                return .json(toxic.json)
            },
            Self.operation(.get(one), "Shows a toxic.") { [proxies] request throws(ToxiproxyProblem) in
                let (proxy, index) = try Self.find(request, proxies)
                return .json(proxy.toxics[index].json)
            },
            Self.operation(.post(one), "Changes a toxic; the form before Toxiproxy 2.6.", update),
            Self.operation(.patch(one), "Changes a toxic's attributes or toxicity.", update),
            Self.operation(.delete(one), "Removes a toxic.") { [proxies] request throws(ToxiproxyProblem) in
                let (proxy, index) = try Self.find(request, proxies)
                var toxics = proxy.toxics
                toxics.remove(at: index)
                proxy.use(toxics)
                return .done
            },
        ]
    }

    private static func find(
        _ request: ControlRequest,
        _ proxies: ToxicProxies
    ) throws(ToxiproxyProblem) -> (ToxicProxy, Int) {
        let proxy = try proxies.find(request.parameter("proxy"))
        let name = request.parameter("toxic")
        guard let index = proxy.toxics.firstIndex(where: { $0.name == name }) else { throw .toxicNotFound }
        return (proxy, index)
    }
}
