public import CacheGateway
public import MockOrigin
public import ServiceLifecycle

/// A mock server as a service of a `ServiceGroup`: it serves from `run()` until a graceful shutdown.
public struct MockServerService: Service {
    private let server: MockServer

    /// Creates a service for a server that was not started.
    public init(_ server: MockServer) { self.server = server }

    /// Starts the server, and stops it at the shutdown or when the task is cancelled.
    public func run() async throws {
        try server.start()
        // Cancellation ends the service as a shutdown does.
        try? await gracefulShutdown()
        await server.shutDown()
    }
}

/// A caching gateway as a service of a `ServiceGroup`: it serves from `run()` until a graceful shutdown.
public struct GatewayService: Service {
    private let gateway: Gateway

    /// Creates a service for a gateway that was not started.
    public init(_ gateway: Gateway) { self.gateway = gateway }

    /// Starts the gateway, and stops it at the shutdown or when the task is cancelled.
    public func run() async throws {
        try gateway.start()
        // Cancellation ends the service as a shutdown does.
        try? await gracefulShutdown()
        await gateway.shutDown()
    }
}
