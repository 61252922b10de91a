import ControlServing
import JSON
import LocatedYAML
import OriginScript

extension ControlOperations {
    var networkOperations: [ControlOperation] {
        [
            operation(
                .get("/network"),
                "readNetwork",
                "Shows the network conditions and the known profiles.",
                answers: "ShownNetwork"
            ) {
                request throws(ControlProblem) in
                .json(Self.network(try namespace(request)))
            },
            operation(
                .put("/network"),
                "setNetwork",
                "Replaces the network conditions.",
                answers: "ShownNetwork"
            ) {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                let schedule = try request.read(ControlKey.Network.self) {
                    $0.required(.network, NetworkSchedule.reader)
                }
                namespace.use(network: schedule)
                return .json(Self.network(namespace))
            }.with { $0.content = .schema("Network") },
            operation(.delete("/network"), "removeNetwork", "Removes the network conditions.") {
                request throws(ControlProblem) in
                try namespace(request).use(network: nil)
                return .done
            }.with { $0.status = 204 },
        ]
    }

    private static func network(_ namespace: OriginNamespace) -> JSONValue {
        let present = namespace.injector.network
        return [
            "network": present.map { .string($0.description) } ?? .null,
            "profiles": .array(NetworkProfile.presets.map { .string($0.name) }),
        ]
    }
}
