import ControlServing
import JSON

/// The control API for the proxies of a configuration file.
///
/// Operations on one proxy are below `/proxies/{proxy}`.
struct GroupOperations: Sendable {
    let group: ProxyGroup
    /// The context of any proxy, used to describe the operations.
    let example: ProxyContext

    /// All operations.
    var all: [ControlOperation] {
        let ofOne = ProxyOperations(context: example).all.enumerated().map { index, operation in
            operation.with { operation in
                operation.endpoint.path = "/proxies/{proxy}\(operation.path)"
                operation.action = { [group] request throws(ControlProblem) in
                    let context = try Self.proxy(request.parameter("proxy"), of: group).context
                    return try await ProxyOperations(context: context).all[index].action(request)
                }
            }
        }
        return [list] + ofOne
    }

    private static func proxy(_ name: String, of group: ProxyGroup) throws(ControlProblem) -> FaultProxy {
        if let proxy = group.proxy(name) { return proxy }
        throw ControlProblem(status: 404, "There is no proxy \"\(name)\"; GET /proxies lists all.")
    }

    private var list: ControlOperation {
        ControlOperation(
            .get("/proxies"),
            name: "listProxies",
            "Lists the listening proxies, in the order in which they were started."
        ) { [group] _ in
            .json(["proxies": .array(group.running.map(Self.shown))])
        }.with { $0.answer = .schema("Proxies") }
    }

    private static func shown(_ proxy: ProxyGroup.Running) -> JSONValue {
        [
            "name": .string(proxy.name), "listen": .string("\(proxy.address)"),
            "upstream": proxy.endpoints.upstreamURL.map { .string($0) } ?? .null,
        ]
    }
}
