import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios
import Testing

@Suite("Steps of a scenario")
struct StepDecodingTests {
    @Test("A request has a member for every key")
    func request() throws {
        let text = """
            - request:
                path: /a#top
                method: POST
                query: x=1
                fields: [[A, b], [If-Modified-Since, {fixed-date: -1h, form: asctime}]]
                body: {size: 1KiB}
                policy: reloadRevalidatingCacheData
                timeout: 30s
                host: other
                cancel-after: 1s
                label: mine
            - request:
            """
        let steps = try steps(text)
        guard case .request(let request) = steps[0], case .request(let plain) = steps[1] else {
            return #expect(Bool(false))
        }
        #expect(request.path == "/a#top")
        #expect(request.method == "POST")
        #expect(request.query == "x=1")
        #expect(
            request.fields == [
                FieldLine("A", .text("b")),
                FieldLine("If-Modified-Since", .fixedDate(offset: .seconds(-3600), form: .asctime)),
            ]
        )
        #expect(request.body == .generated(size: 1024))
        #expect(request.policy == .reloadRevalidatingCacheData)
        #expect(request.timeout == .seconds(30))
        #expect(request.asksOtherHost)
        #expect(request.cancelAfter == .seconds(1))
        #expect(request.label == "mine")
        #expect(plain.path == "/")
        #expect(plain.method == "GET")
        #expect(plain.policy == nil)
        #expect(!plain.asksOtherHost)
        #expect(plain.expectation.errorCodes == nil)
    }

    @Test("Every other step is decoded")
    func others() throws {
        let text = """
            - parallel: [{request: {path: /a}, expect: {status: 200}}, {request: {path: /b}}]
            - repeat: {times: 2, steps: [advance: 61s]}
            - advance: {by: 1.5s}
            - advance: {wall: -1h}
            - release: all
            - release: slow
            - client: restart
            - cache: clear
            - cache: {remove: /a}
            - cache: {remove-since: -60s}
            - cache: {resize: {memory: 1MiB}}
            - cache: damage
            - network: offline
            - network: online
            - network: roaming-off
            - network: data-not-allowed
            - origin: {stop: true}
            - origin: {start: true}
            - origin: {use: 2, label: slow}
            - idle: true
            - idle:
            - idle
            """
        let origin = "- {label: slow, answers: [{}, {}]}"
        let summaries = try steps(text, origin: origin).map { step in
            switch step {
            case .parallel(let requests): "parallel " + requests.map(\.path).joined(separator: " ")
            case .repeat(let times, let steps): "repeat \(times) \(steps.count)"
            case .advance(let duration): "advance \(duration)"
            case .jumpWall(let duration): "wall \(duration)"
            case .release(let label): "release \(label ?? "-")"
            case .restartClient: "restart"
            case .cache(let action): "\(action)"
            case .network(let network): "network \(network)"
            case .origin(let action): "\(action)"
            case .idle: "idle"
            default: "other"
            }
        }
        #expect(
            summaries == [
                "parallel /a /b", "repeat 2 1", "advance 1.5 seconds", "wall -3600.0 seconds", "release -",
                "release slow", "restart", "clear", "remove(path: \"/a\")",
                "removeSince(offset: -60.0 seconds)",
                "resize(memory: Optional(1048576), disk: nil)", "damage", "network offline", "network online",
                "network roamingOff", "network dataNotAllowed",
                "stop",
                "start", "use(answer: 2, label: \"slow\")", "idle", "idle", "idle",
            ]
        )
    }

    @Test("Paths and queries of a repeated step contain the number of the round, nested ones their own")
    func rounds() throws {
        let text = """
            - repeat:
                times: 2
                steps:
                  - request: {path: '/${round}/${round}', query: 'n=${round}'}
                  - store: {path: '/s${round}'}
                  - repeat: {times: 2, steps: [{lookup: {path: '/l${round}'}, expect: {found: true}}]}
            """
        guard case .repeat(_, let inner) = try steps(text)[0] else { return #expect(Bool(false)) }
        let round = inner.map { $0.step.inRound(2) }
        guard case .request(let request) = round[0], case .store(let store) = round[1],
            case .repeat(_, let innermost) = round[2], case .lookup(let lookup) = innermost[0].step.inRound(1)
        else { return #expect(Bool(false)) }
        #expect(request.path == "/2/2")
        #expect(request.query == "n=2")
        #expect(store.path == "/s2")
        #expect(lookup.path == "/l1")
    }

    @Test("A lookup, a stored entry and the usage have their keys")
    func storeSteps() throws {
        let text = """
            - lookup: {path: /a, query: q, method: HEAD, fields: {A: b}}
              expect: {found: true, status: 200, fields: {A: b}, body: one, user-info: {k: v}}
            - store: {path: /a, status: 404, fields: {A: b}, body: {base64: aGk=}, user-info: {k: v}, storage-policy: not-allowed}
            - usage: {memory: {at-most: 1MiB}, disk: 0, files: {greater: 1, less: 5}, entries: 3, database-steps: {less: 9}, readable: a, unreadable: [b, 1]}
            """
        let steps = try steps(text)
        guard case .lookup(let lookup) = steps[0], case .store(let store) = steps[1],
            case .usage(let usage) = steps[2]
        else { return #expect(Bool(false)) }
        #expect(lookup.method == "HEAD")
        #expect(lookup.expectation.isFound?.value == true)
        #expect(lookup.expectation.userInfo?.value == ["k": "v"])
        #expect(store.status == 404)
        #expect(store.body == .bytes([104, 105]))
        #expect(store.userInfo == ["k": "v"])
        #expect(store.storagePolicy == "not-allowed")
        #expect(usage.memory?.value == .range(atLeast: nil, atMost: 1_048_576))
        #expect(usage.disk?.value == .equal(0))
        #expect(usage.files?.value == .strictly(greater: 1, less: 5))
        #expect(usage.entries?.value == .equal(3))
        #expect(usage.databaseSteps?.value == .strictly(greater: nil, less: 9))
        #expect(usage.readable?.value == ["a"])
        #expect(usage.unreadable?.value == ["b", "1"])
    }

    @Test("Expectations of the caller have a member for every key")
    func callerExpectations() throws {
        let text = """
            - request: {label: l}
            - request: {path: /a}
              expect:
                source: [memory, cache]
                stale: true
                status: [200, 304]
                fields: {A: absent, B: present, C: 'absent', D: {not: x}, E: {contains: y}, F: {at-least: 2}, G: {date: +1s}, H: 5}
                body: {same-as: l}
                age: {greater: 1}
                error: timed-out
                events: [will-send, data*]
                chunks: [1, 1KiB]
                cache-status: {hit: true, stored: false, fwd: stale, ttl: {less: 0}}
                user-saw-redirects: 2
                took: {at-least: 30s, at-most: 31s}
                finding: {rfc9111.4.2.fresh: false}
            """
        guard case .request(let request) = try steps(text)[1] else { return #expect(Bool(false)) }
        let expected = request.expectation
        #expect(expected.sources?.value == [.memory, .cache])
        #expect(expected.isStale?.value == true)
        #expect(expected.statuses?.value == [200, 304])
        #expect(
            expected.fields.map(\.value) == [
                FieldExpectation(name: "A", value: .absent), FieldExpectation(name: "B", value: .present),
                FieldExpectation(name: "C", value: .equal(.text("absent"))),
                FieldExpectation(name: "D", value: .not("x")),
                FieldExpectation(name: "E", value: .contains("y")),
                FieldExpectation(name: "F", value: .number(.range(atLeast: 2, atMost: nil))),
                FieldExpectation(name: "G", value: .equal(.date(offset: .seconds(1), form: .imf))),
                FieldExpectation(name: "H", value: .equal(.text("5"))),
            ]
        )
        #expect(expected.body?.value == .sameAs("l"))
        #expect(expected.age?.value == .strictly(greater: 1, less: nil))
        #expect(expected.errorCodes?.value == [-1001])
        #expect(expected.events?.value == ["will-send", "data*"])
        #expect(expected.chunks?.value == [1, 1024])
        #expect(
            expected.cacheStatus.map(\.value) == [
                CacheStatusExpectation(parameter: "hit", value: .equal(.text("true"))),
                CacheStatusExpectation(parameter: "stored", value: .absent),
                CacheStatusExpectation(parameter: "fwd", value: .equal(.text("stale"))),
                CacheStatusExpectation(parameter: "ttl", value: .number(.strictly(greater: nil, less: 0))),
            ]
        )
        #expect(expected.redirects?.value == 2)
        #expect(expected.took?.value == .range(atLeast: 30, atMost: 31))
        #expect(expected.findings?.value == [FindingExpectation(rule: "rfc9111.4.2.fresh", held: false)])
        #expect(expected.sources?.position.description == "scenarios/area/file.yaml:11:19")
    }

    @Test("Expectations of the origin have a member for every key")
    func originExpectations() throws {
        let text = """
            - origin-saw:
                path: /a
                method: GET
                since: last
                requests: {at-least: 1}
                last: {method: GET, path: /a, query: x, fields: {A: b}, body: one, connection: reused}
                request: [{number: 2, connection: new}, {number: 3}]
                connections: 1
                aborted: 0
            """
        guard case .originSaw(let expected) = try steps(text)[0] else { return #expect(Bool(false)) }
        #expect(expected.path == "/a")
        #expect(expected.method == "GET")
        #expect(expected.sinceLast)
        #expect(expected.requests?.value == .range(atLeast: 1, atMost: nil))
        #expect(expected.connections?.value == .equal(1))
        #expect(expected.aborted?.value == .equal(0))
        #expect(expected.requestExpectations.map(\.value.number) == [nil, 2, 3])
        #expect(expected.requestExpectations.map(\.value.isReusedConnection) == [true, false, nil])
        #expect(expected.requestExpectations[0].value.query == "x")
        #expect(expected.requestExpectations[0].value.body == .text("one"))
        #expect(expected.requestExpectations[0].value.fields.map(\.name) == ["A"])
    }
}
