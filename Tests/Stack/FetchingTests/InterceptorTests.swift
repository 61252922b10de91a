import CacheClient
import Clocks
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Interceptors", .timeLimit(.minutes(20)))
struct InterceptorTests {
    @Test(
        "A signature is on every request, computed over its final parameters",
        .checks("ytknetwork.request-interceptor")
    )
    func signature() async throws {
        let fixture = try FetchFixture(json("{}"))
        let name = try #require(HTTPField.Name("X-Signature"))
        let session = fixture.session {
            $0.defaultParameters = ["v": 1]
            $0.interceptors = [
                SigningInterceptor {
                    [name: MessageDigest.md5($0.method.rawValue + $0.parameters.json.compactText)]
                }
            ]
        }
        _ = try await session.get("a", ["k": 2])
        // md5 of `GET{"k":2,"v":1}`
        #expect(fixture.lastFields("X-Signature") == ["e97be493cbda00f5628dbd9bea1b35ad"])
        _ = try await session.post("a")
        #expect(fixture.lastFields("X-Signature") == ["bfac394bc744ca30cebdf81097199a22"])
    }

    @Test(
        "A request is retried after a 503, and the caller receives one success",
        .checks("ytknetwork.response-interceptor")
    )
    func retry() async throws {
        let fixture = try FetchFixture(json("{}") { $0.status = 503 }, json("{\"a\":1}"))
        let record = EventRecord()
        let session = fixture.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: fixture.clock)]
        }
        let ends = Collector<Bool>()
        let task = session.start(.get("a")) { ends.add((try? $0.get()) != nil) }
        await record.wait(for: "retrying")
        #expect(fixture.hits == 1)
        await fixture.clock.wakeNext()
        let response = try await task.response()
        #expect(response.attempts == 2)
        #expect(fixture.hits == 2)
        #expect(ends.elements == [true])
        #expect(record.names == ["created", "started", "retrying", "started", "succeeded", "completed"])
    }

    @Test("Each delay is twice the previous one, up to the longest, times the jitter")
    func backOff() async throws {
        let fixture = try FetchFixture(json("{}") { $0.status = 502 })
        let record = EventRecord()
        let session = fixture.session {
            $0.monitors = [record]
            $0.interceptors = [
                RetryInterceptor(clock: fixture.clock) {
                    $0.limit = 4
                    $0.firstDelay = .seconds(1)
                    $0.longestDelay = .seconds(3)
                    $0.jitter = { 0.5 }
                }
            ]
        }
        let task = session.start(.get("a"))
        for count in 1...4 {
            await record.wait(for: "retrying", count: count)
            await fixture.clock.wakeNext()
        }
        _ = try? await task.response()
        let waits = record.events.compactMap { event in
            if case .retrying(_, let delay, _) = event { delay.seconds } else { nil }
        }
        #expect(waits == [0.5, 1, 1.5, 1.5])
        #expect(fixture.hits == 5)
    }

    @Test(
        "The server's Retry-After is obeyed, in seconds or as a date, unless it is too long",
        arguments: [
            ("7", 7.0), ("Thu, 01 Jan 2026 00:00:09 GMT", 9), ("61", nil), ("99999999999999999999", nil),
        ]
            as [(String, Double?)]
    )
    func retryAfter(value: String, seconds: Double?) async throws {
        let unavailable = json("{}") {
            $0.status = 429
            $0.fields.append(FieldLine("Retry-After", .text(value)))
        }
        let fixture = try FetchFixture(unavailable, json("{}"))
        let record = EventRecord()
        let session = fixture.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: fixture.clock)]
        }
        let task = session.start(.get("a"))
        guard let seconds else {
            _ = try? await task.response()
            #expect(task.state == .failed)
            #expect(fixture.hits == 1)
            return
        }
        await record.wait(for: "retrying")
        await fixture.clock.wakeNext()
        _ = try await task.response()
        #expect(fixture.clock.elapsed.seconds == seconds)
    }

    @Test("A POST is not retried, a broken connection is retried, and a 404 is not")
    func whatIsRetried() async throws {
        let fixture = try FetchFixture(
            Route.each(
                ("/busy", [json("{}") { $0.status = 503 }]),
                ("/broken", [json("{}") { $0.faults = [Fault(.reset, at: .head)] }, json("{}")])
            ),
            resends: false
        )
        let record = EventRecord()
        let session = fixture.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: fixture.clock)]
        }
        #expect(await session.failure(.post("busy"))?.status == 503)
        #expect(await session.failure(.get("none"))?.status == 404)
        #expect(fixture.hits == 2)
        let task = session.start(.get("broken"))
        await record.wait(for: "retrying")
        await fixture.clock.wakeNext()
        #expect(try await task.response().attempts == 2)
    }

    @Test("A request that waits for its retry can be cancelled")
    func cancelledWhileWaiting() async throws {
        let fixture = try FetchFixture(json("{}") { $0.status = 503 })
        let record = EventRecord()
        let session = fixture.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: fixture.clock)]
        }
        let task = session.start(.get("a"))
        await record.wait(for: "retrying")
        #expect(session.pool.cancelAll() == 1)
        _ = try? await task.response()
        #expect(task.state == .cancelled)
        #expect(fixture.hits == 1)
    }

    @Test(
        "A rejected token is renewed once for all waiting requests, and each is sent again with the new one"
    )
    func oneRenewal() async throws {
        let fresh = Route.bearer("new", json("{\"a\":1}"))
        let stale = Route(label: "stale", answers: [stalled(json("{}") { $0.status = 401 })])
        let fixture = try FetchFixture([fresh, stale])
        let renewals = Collector<String?>()
        let token = TokenInterceptor("old") { refused in
            renewals.add(refused)
            return "new"
        }
        let session = fixture.session {
            $0.interceptors = [token]
            $0.maximumInFlight = 10
        }
        let tasks = (0..<10).map { session.start(.get("\($0)")) }
        await fixture.waitForParked(10)
        fixture.origin.release(label: nil)
        for task in tasks { #expect(try await task.response().json == ["a": 1]) }
        #expect(renewals.elements == ["old"])
        #expect(token.token == "new")
        #expect(fixture.hits == 20)
    }

    @Test("Without a token, one is obtained first, once")
    func firstToken() async throws {
        let fixture = try FetchFixture([.bearer("t", json("{}"))])
        let renewals = Collector<String?>()
        let session = fixture.session {
            $0.interceptors = [
                TokenInterceptor { refused in
                    renewals.add(refused)
                    return "t"
                }
            ]
        }
        for _ in 0..<3 { _ = try await session.get("a") }
        #expect(renewals.elements == [nil])
    }

    @Test(
        "A token that cannot be renewed fails all waiting requests, and a rejected new one is not renewed again"
    )
    func renewalFails() async throws {
        let fixture = try FetchFixture(json("{}") { $0.status = 401 })
        let broken = TokenInterceptor("old") { _ throws(FetchError) in
            throw FetchError(.invalid, "No more tokens.")
        }
        let error = await fixture.session { $0.interceptors = [broken] }.failure(.get("a"))
        #expect(error?.reason == "No more tokens.")
        let useless = TokenInterceptor("old") { _ in "another" }
        #expect(await fixture.session { $0.interceptors = [useless] }.failure(.get("a"))?.status == 401)
        #expect(fixture.hits == 3)
    }

    @Test("Requests pass the interceptors in order, responses in the reverse order")
    func order() async throws {
        let fixture = try FetchFixture(json("{}"))
        let lines = Collector<String>()
        let session = fixture.session {
            $0.interceptors = [
                LoggingInterceptor { lines.add("first \($0.prefix(1))") },
                LoggingInterceptor { lines.add("second \($0.prefix(1))") },
            ]
        }
        _ = try await session.get("a")
        #expect(lines.elements == ["first >", "second >", "second <", "first <"])
    }

    @Test("An interceptor can reject a request, which is then not sent, and replace a response")
    func refusal() async throws {
        let fixture = try FetchFixture(json("{}") { $0.status = 500 })
        let refused = await fixture.session { $0.interceptors = [Refusing()] }.failure(.get("a"))
        #expect(refused?.reason == "Not now.")
        #expect(fixture.hits == 0)
        let replaced = await fixture.session { $0.interceptors = [Replacing()] }.failure(.get("a"))
        #expect(replaced?.reason == "Replaced.")
    }
}

private struct Refusing: Interceptor {
    func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest {
        throw FetchError(.invalid, "Not now.")
    }
}

private struct Replacing: Interceptor {
    func didReceive(_ result: ReceivedResult, of request: OutgoingRequest) async -> InterceptorDecision {
        .replace(.failure(FetchError(.invalid, "Replaced.")))
    }
}

extension Route {
    /// Returns a route for requests with a token.
    fileprivate static func bearer(_ token: String, _ answer: Answer) -> Route {
        var route = Route(label: "bearer", answers: [answer])
        route.fields = [NamedMatch("Authorization", .equals("Bearer " + token))]
        route.priority = 1
        return route
    }
}

extension VirtualClock {
    /// Advances the clock to the wake-up time of a request that waits, as soon as it sleeps.
    fileprivate func wakeNext() async {
        await waitForSleeper()
        advanceToNextDeadline()
    }
}
