import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
import HTTPServing
import HTTPTypes
import Scenarios

/// A gateway in front of one scenario's origin, with its own cache in memory, which receives raw bytes.
final class GatewayFixture {
    private let gateway: Gateway

    /// Starts a cache of the environment's kind in front of its origin, on its clock.
    init(_ environment: ScenarioEnvironment) throws(SubjectError) {
        do {
            var configuration = Gateway.Configuration(mode: .reverse(origin: environment.origin.authority))
            configuration.engine.kind = environment.cacheKind
            configuration.engine.partition = environment.client.partition
            configuration.normalizesPercentEncoding = environment.client.normalizesPercentEncoding
            configuration.passedFields = environment.client.passedFields.compactMap { HTTPField.Name($0) }
            configuration.server.threads = 1
            let store = CacheStore.Configuration(memoryCapacity: .mebibytes(4), diskCapacity: .zero)
            gateway = Gateway(
                configuration,
                store: try CacheStore(store, clock: environment.clock),
                transport: try CurlTransport(),
                clock: environment.clock
            )
            try gateway.start()
        } catch {
            throw SubjectError("The gateway cannot be started: \(error)")
        }
    }

    deinit { gateway.stop() }

    /// Sends text, a byte for each character, on a new connection, and returns the first response.
    func ask(_ text: String) throws(SubjectError) -> CallerObservation {
        let isBytes = text.unicodeScalars.allSatisfy { $0.value < 0x100 }
        let bytes =
            isBytes ? text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(text.utf8)
        guard let socket = gateway.port.flatMap(RawSocket.init), socket.send(bytes) else {
            throw SubjectError("Cannot connect to the gateway.")
        }
        var seen = RawResponse.read(from: socket)
        seen.age = CacheFields.age(in: seen.fields)
        seen.cacheStatus = CacheFields.lastStatus(in: seen.fields)
        return seen
    }
}
