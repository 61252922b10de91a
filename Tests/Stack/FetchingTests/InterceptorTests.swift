import CacheClient
import Clocks
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Interceptors", .timeLimit(.minutes(5)))
struct InterceptorTests {
    @Test(
        "A signature is on every request, computed over its final parameters",
        .checks("ytknetwork.request-interceptor")
    )
    func signature() async throws {
        let stage = try FetchStage(json("{}"))
        let name = try #require(HTTPField.Name("X-Signature"))
        let session = stage.session {
            $0.defaultParameters = ["v": 1]
            $0.interceptors = [
                SigningInterceptor {
                    [name: MessageDigest.md5($0.method.rawValue + $0.parameters.json.compactText)]
                }
            ]
        }
        _ = try await session.get("a", ["k": 2])
        // md5 of `GET{"k":2,"v":1}`
        #expect(stage.lastFields("X-Signature") == ["e97be493cbda00f5628dbd9bea1b35ad"])
        _ = try await session.post("a")
        #expect(stage.lastFields("X-Signature") == ["bfac394bc744ca30cebdf81097199a22"])
    }

    @Test(
        "A request is sent again after a 503, and the caller sees one success",
        .checks("ytknetwork.response-interceptor")
    )
    func retry() async throws {
        let stage = try FetchStage(json("{}") { $0.status = 503 }, json("{\"a\":1}"))
        let record = EventRecord()
        let session = stage.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: stage.clock)]
        }
        let ends = Collector<Bool>()
        let task = session.start(.get("a")) { ends.add((try? $0.get()) != nil) }
        await record.wait(for: "retrying")
        #expect(stage.hits == 1)
        await stage.clock.wakeNext()
        let response = try await task.response()
        #expect(response.attempts == 2)
        #expect(stage.hits == 2)
        #expect(ends.elements == [true])
        #expect(record.names == ["created", "started", "retrying", "started", "succeeded", "completed"])
    }

    @Test("Each wait is twice the one before, up to the longest, times the share that is drawn")
    func backOff() async throws {
        let stage = try FetchStage(json("{}") { $0.status = 502 })
        let record = EventRecord()
        let session = stage.session {
            $0.monitors = [record]
            $0.interceptors = [
                RetryInterceptor(clock: stage.clock) {
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
            await stage.clock.wakeNext()
        }
        _ = try? await task.response()
        let waits = record.events.compactMap { event in
            if case .retrying(_, let delay, _) = event { delay.seconds } else { nil }
        }
        #expect(waits == [0.5, 1, 1.5, 1.5])
        #expect(stage.hits == 5)
    }

    @Test(
        "The server's Retry-After is obeyed, in seconds or as a date, and not waited for where it is too long",
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
        let stage = try FetchStage(unavailable, json("{}"))
        let record = EventRecord()
        let session = stage.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: stage.clock)]
        }
        let task = session.start(.get("a"))
        guard let seconds else {
            _ = try? await task.response()
            #expect(task.state == .failed)
            #expect(stage.hits == 1)
            return
        }
        await record.wait(for: "retrying")
        await stage.clock.wakeNext()
        _ = try await task.response()
        #expect(stage.clock.elapsed.seconds == seconds)
    }

    @Test("A POST is not sent twice, a broken connection is tried again, and a 404 is not")
    func whatIsRetried() async throws {
        let stage = try FetchStage(
            Route.each(
                ("/busy", [json("{}") { $0.status = 503 }]),
                ("/broken", [json("{}") { $0.faults = [Fault(.reset, at: .head)] }, json("{}")])
            ),
            resends: false
        )
        let record = EventRecord()
        let session = stage.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: stage.clock)]
        }
        #expect(await session.failure(.post("busy"))?.status == 503)
        #expect(await session.failure(.get("none"))?.status == 404)
        #expect(stage.hits == 2)
        let task = session.start(.get("broken"))
        await record.wait(for: "retrying")
        await stage.clock.wakeNext()
        #expect(try await task.response().attempts == 2)
    }

    @Test("A request that waits to be sent again can be cancelled")
    func cancelledWhileWaiting() async throws {
        let stage = try FetchStage(json("{}") { $0.status = 503 })
        let record = EventRecord()
        let session = stage.session {
            $0.monitors = [record]
            $0.interceptors = [RetryInterceptor(clock: stage.clock)]
        }
        let task = session.start(.get("a"))
        await record.wait(for: "retrying")
        #expect(session.pool.cancelAll() == 1)
        _ = try? await task.response()
        #expect(task.state == .cancelled)
        #expect(stage.hits == 1)
    }

    @Test("A refused token is renewed once for all who wait, and each request is sent again with the new one")
    func oneRenewal() async throws {
        let fresh = Route.bearer("new", json("{\"a\":1}"))
        let stale = Route(label: "stale", answers: [stalled(json("{}") { $0.status = 401 })])
        let stage = try FetchStage([fresh, stale])
        let renewals = Collector<String?>()
        let token = TokenInterceptor("old") { refused in
            renewals.add(refused)
            return "new"
        }
        let session = stage.session {
            $0.interceptors = [token]
            $0.maximumInFlight = 10
        }
        let tasks = (0..<10).map { session.start(.get("\($0)")) }
        await stage.waitForParked(10)
        stage.origin.release(label: nil)
        for task in tasks { #expect(try await task.response().json == ["a": 1]) }
        #expect(renewals.elements == ["old"])
        #expect(token.token == "new")
        #expect(stage.hits == 20)
    }

    @Test("Without a token one is got first, once")
    func firstToken() async throws {
        let stage = try FetchStage([.bearer("t", json("{}"))])
        let renewals = Collector<String?>()
        let session = stage.session {
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
        "A token that cannot be renewed fails all who wait, and a new one that is refused is not renewed again"
    )
    func renewalFails() async throws {
        let stage = try FetchStage(json("{}") { $0.status = 401 })
        let broken = TokenInterceptor("old") { _ throws(FetchError) in
            throw FetchError(.invalid, "No more tokens.")
        }
        let error = await stage.session { $0.interceptors = [broken] }.failure(.get("a"))
        #expect(error?.reason == "No more tokens.")
        let useless = TokenInterceptor("old") { _ in "another" }
        #expect(await stage.session { $0.interceptors = [useless] }.failure(.get("a"))?.status == 401)
        #expect(stage.hits == 3)
    }

    @Test("Requests pass the interceptors in order, responses in the reverse order")
    func order() async throws {
        let stage = try FetchStage(json("{}"))
        let lines = Collector<String>()
        let session = stage.session {
            $0.interceptors = [
                LoggingInterceptor { lines.add("first \($0.prefix(1))") },
                LoggingInterceptor { lines.add("second \($0.prefix(1))") },
            ]
        }
        _ = try await session.get("a")
        #expect(lines.elements == ["first >", "second >", "second <", "first <"])
    }

    @Test("An interceptor can refuse a request, which is then not sent, and replace a response")
    func refusal() async throws {
        let stage = try FetchStage(json("{}") { $0.status = 500 })
        let refused = await stage.session { $0.interceptors = [Refusing()] }.failure(.get("a"))
        #expect(refused?.reason == "Not now.")
        #expect(stage.hits == 0)
        let replaced = await stage.session { $0.interceptors = [Replacing()] }.failure(.get("a"))
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
    /// A route for requests with a token.
    fileprivate static func bearer(_ token: String, _ answer: Answer) -> Route {
        var route = Route(label: "bearer", answers: [answer])
        route.fields = [NamedMatch("Authorization", .equals("Bearer " + token))]
        route.priority = 1
        return route
    }
}

extension VirtualClock {
    /// Moves the clock to what a request that has been told to wait sleeps until, as soon as it does.
    fileprivate func wakeNext() async {
        await waitForSleeper()
        advanceToNextDeadline()
    }
}
