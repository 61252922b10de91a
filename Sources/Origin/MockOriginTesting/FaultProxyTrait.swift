public import FaultProxy
import MockOrigin
import OriginScript
public import Testing

/// Gives each test its own fault proxy, `FaultProxy.current`, which ends with the test.
public struct FaultProxyTrait: TestTrait, SuiteTrait, TestScoping {
    let upstream: String?
    let faults: [String]
    let seed: UInt64

    /// Whether tests inherit the trait from their suite: true, so each has a proxy.
    public var isRecursive: Bool { true }

    /// Runs a test with its proxy; throws if the upstream or a fault cannot be read or the proxy cannot start.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await run(function)
    }

    /// Runs a function with a proxy.
    func run(_ function: @Sendable () async throws -> Void) async throws {
        let address = try upstream ?? MockServer.current.url
        guard let upstream = Upstream(url: address) else { throw InvalidUpstream(url: address) }
        var configuration = FaultProxy.Configuration(upstream: upstream)
        configuration.faults = FaultPlan(
            faults: try faults.map { try Fault(text: $0) },
            seed: seed,
            scope: "proxy"
        )
        configuration.keepsJournal = true
        let proxy = FaultProxy(configuration)
        try proxy.start()
        defer { proxy.stop() }
        try await FaultProxy.$bound.withValue(proxy) { try await function() }
    }
}

extension Trait where Self == FaultProxyTrait {
    /// Gives each test a fault proxy on any free port of 127.0.0.1, with faults such as `reset@body:20000 requests=1`.
    ///
    /// `upstream` is `http://HOST[:PORT]` or `https://HOST[:PORT]`; `nil`, the default, is the mock server of the test, whose
    /// trait must come first. `seed` determines the random choices of faults with a chance; default 0.
    public static func faultProxy(_ faults: String..., to upstream: String? = nil, seed: UInt64 = 0) -> Self {
        FaultProxyTrait(upstream: upstream, faults: faults, seed: seed)
    }
}

extension FaultProxy {
    @TaskLocal static var bound: FaultProxy?

    /// The proxy of the test that runs; throws in a test without the trait.
    public static var current: FaultProxy {
        get throws {
            guard let bound else { throw MissingFaultProxyError() }
            return bound
        }
    }
}

/// A test without the trait requested its fault proxy.
public struct MissingFaultProxyError: Error, CustomStringConvertible {
    /// One sentence.
    public var description: String {
        "The test has no fault proxy: it, or its suite, needs the trait .faultProxy."
    }
}

/// The upstream of a test's fault proxy cannot be read.
public struct InvalidUpstream: Error, CustomStringConvertible {
    /// The URL that was found.
    public let url: String
    /// One sentence.
    public var description: String {
        "The trait .faultProxy has the upstream \(url), expected http://HOST[:PORT] or https://HOST[:PORT]."
    }
}
