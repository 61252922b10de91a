import Addresses
import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
import Clocks
import HTTPServing
import Scenarios
import Testing

@testable import Conformance

@Suite("Forward proxies, and programs whose clock is moved", .timeLimit(.minutes(20)))
struct OutsideTimeTests {
    private static let text = """
        suite: s
        defaults: {level: must, rules: [rfc9111.4.2.fresh]}
        scenarios:
          - id: hour
            title: A response is used for its hour and no longer
            cache: [shared]
            origin:
              - answer: {fields: {Cache-Control: max-age=3600}, body: one}
            steps:
              - {request: {path: /a}, expect: {source: origin}}
              - advance: 3598s
              - {request: {path: /a}, expect: {source: cache, body: one}}
              # Varnish serves what it has for ten seconds more, as it comes.
              - advance: 30s
              - {request: {path: /a}, expect: {source: origin}}
          - id: at-once
            title: A fresh response is used
            cache: [shared]
            origin:
              - answer: {fields: {Cache-Control: max-age=60}, body: one}
            steps:
              - {request: {path: /a}, expect: {source: origin}}
              - {request: {path: /a}, expect: {source: cache, body: one}}
        """

    private func run(_ options: RunOptions) throws -> [String: Verdict] {
        let suite = try ScenarioDecoder.decode(text: Self.text, path: "f.yaml", realTime: true)
        var verdicts: [String: Verdict] = [:]
        _ = try Runner([suite], options: options, version: "1").run { event in
            guard case .scenarioFinished(let result) = event else { return }
            verdicts[String(result.id.split(separator: "/").last ?? "")] = result.verdict
        }
        return verdicts
    }

    @Test("A forward proxy gets absolute targets, and is not configured with the origin, RFC 9112 §3.2.2")
    func forward() throws {
        let clock = SystemClock()
        var configuration = Gateway.Configuration(mode: .forward)
        configuration.allowedAddresses = AddressBlock("127.0.0.0/8").map { [$0] } ?? []
        let store = CacheStore.Configuration(memoryCapacity: .mebibytes(1), diskCapacity: .zero)
        let gateway = Gateway(
            configuration,
            store: try CacheStore(store, clock: clock),
            transport: try CurlTransport(),
            clock: clock
        )
        try gateway.start()
        defer { gateway.stop() }
        var options = RunOptions()
        options.subject = .forwardProxy(gateway.url)
        let verdicts = try run(options)
        #expect(verdicts["at-once"] == .passed)
        #expect(verdicts["hour"] == .skipped(reason: "The scenario would have to wait 3628 s."))
    }

    @Test(
        "An hour passes at once for a proxy that runs under libfaketime",
        .enabled(if: FakeTime.isInstalled, "libfaketime is not installed"),
        arguments: [KnownProxy.nginx, .varnish, .squid].filter(\.isInstalled)
    )
    func proxy(_ proxy: KnownProxy) throws {
        var options = RunOptions()
        options.subject = .known(proxy)
        options.time = .virtual
        let verdicts = try run(options)
        #expect(verdicts == ["hour": .passed, "at-once": .passed])
    }

    @Test(
        "A driver that cannot move its own clock runs under libfaketime",
        .enabled(if: FakeTime.isInstalled, "libfaketime is not installed")
    )
    func driver() throws {
        // Its response contains its time, so that the origin's clock and the driver's are compared.
        let script = """
            while read -r line; do
                id=$(printf '%s' "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
                case $line in
                *'"hello"'*) more='"protocol":1,"name":"t","version":"1","kind":"shared","capabilities":[]' ;;
                *'"request"'*) more='"response":{"status":200,"fields":[["Age","'$(($(date +%s) - BEGIN))'"]],"source":"cache"}' ;;
                *) BEGIN=$(date +%s); more='"x":1' ;;
                esac
                printf '{"id":%s,%s}\\n' "$id" "$more" | sed 's/,"x":1//'
            done
            """
        let hello = DriverCapabilities(name: "t", version: "1", kind: .shared, capabilities: [])
        let text = """
            suite: s
            scenarios:
              - id: age
                title: t
                level: must
                rules: [rfc9111.4.2.fresh]
                steps:
                  - {request: {path: /a}, expect: {age: 0}}
                  - advance: 3600s
                  - {request: {path: /a}, expect: {age: 3600}}
            """
        var options = RunOptions()
        options.subject = .driver(Driver(command: ["/bin/sh", "-c", script], hello: hello))
        options.checksConnectivity = false
        options.time = .virtual
        let suite = try ScenarioDecoder.decode(text: text, path: "f.yaml", realTime: true)
        var verdicts: [Verdict] = []
        _ = try Runner([suite], options: options, version: "1").run { event in
            if case .scenarioFinished(let result) = event { verdicts.append(result.verdict) }
        }
        #expect(verdicts == [.passed])
    }
}
