import Clocks
import HTTPServing
import LocatedYAML
import MockOrigin
import OriginScript
import Scenarios

/// Checks a driver's support of the protocol step by step and reports what its author still has to do.
package struct DriverCheck: Sendable {
    /// One step and its result.
    package struct Step: Sendable, Hashable {
        /// The property that was checked.
        package let title: String
        /// The problem; `nil` if there was none.
        package let problem: String?
        /// The reason why the step was skipped; `nil` if it was not.
        package let skipped: String?
        /// A remark about a step that the driver passes; `nil` if there is none.
        package var note: String?
    }
    private static let token = "check"
    private let command: [String]
    private let clock = SystemClock()
    private let timeout: Duration

    /// Creates a check of a driver; `timeout` is the time limit of a step.
    package init(_ command: [String], timeout: Duration = .seconds(20)) {
        self.command = command
        self.timeout = timeout
    }

    /// Runs the checks and reports each result; stops after the first that breaks the driver.
    ///
    /// Returns whether every check succeeded.
    package func run(_ report: (Step) -> Void) throws(RunnerError) -> Bool {
        let server = try startOrigin()
        defer { server.stop() }
        var checklist = DriverChecklist(command, clock: clock, timeout: timeout, origin: origin(at: server))
        var isRight = true
        for step in DriverChecklist.steps {
            let result = checklist.run(step)
            report(result)
            if result.problem != nil { isRight = false }
            if checklist.isFinished { break }
        }
        checklist.close()
        return isRight
    }

    private func startOrigin() throws(RunnerError) -> MockServer {
        do throws(ServerError) {
            return try MockServer.started()
        } catch {
            throw RunnerError(description: "The origin cannot be started: \(error)")
        }
    }

    private func origin(at server: MockServer) -> NamespaceOrigin {
        let routes = (Self.storedAnswers + Self.unstoredAnswers + Self.limitAnswers).map { name, answer in
            Route(label: name, path: .exact("/\(name)"), answers: [answer])
        }
        let namespace = server.open(
            token: Self.token,
            routes: routes,
            clock: clock,
            startedAt: clock.wallSeconds
        )
        return NamespaceOrigin(namespace, port: server.port ?? 0)
    }

    /// Answers that a cache may store, by the names of their paths.
    private static var storedAnswers: [(String, Answer)] {
        var stored = Answer()
        stored.fields = [FieldLine("Cache-Control", .text("max-age=60"))]
        stored.body = .text("one")
        var marked = Answer()
        marked.fields = [FieldLine("X-Bytes", .text("caf\u{E9}"))]
        var fresh = stored
        fresh.entityTag = .literal("\"v1\"")
        return [("stored", stored), ("marked", marked), ("fresh", fresh)]
    }

    /// The target of a redirect, which is not stored.
    private static var target: Answer {
        var target = Answer()
        target.fields = [FieldLine("Cache-Control", .text("no-store"))]
        target.body = .text("target")
        return target
    }

    /// Answers that are not stored.
    private static var unstoredAnswers: [(String, Answer)] {
        var bytes = target
        bytes.body = .bytes([0, 255, 10, 13, 128])
        var coded = target
        coded.gzip = .always
        coded.body = .text("plain")
        var moved = Answer()
        moved.status = 302
        // A subject that resolves other relative references wrongly follows redirects all the same.
        moved.fields = [
            FieldLine("Location", .text("/\(token)/target")), FieldLine("Cache-Control", .text("no-store")),
        ]
        var stalled = Answer()
        stalled.delay = .seconds(60)
        return [
            ("bytes", bytes), ("coded", coded), ("moved", moved), ("target", target), ("stalled", stalled),
        ]
    }

    /// Answers that show the limits of drivers.
    private static var limitAnswers: [(String, Answer)] {
        var hinted = target
        hinted.interim = [InterimAnswer(status: 103)]
        var half = target
        // Within Cache-Control: a cache may be unable to read a part of a date.
        half.date = .none
        half.faults = [Fault(.close, at: .head, byte: 37)]
        var unmeasured = target
        // The connection ends, for clients that read until then.
        unmeasured.faults = [
            Fault(.garbage(.bytes(Array("Content-Length: 0x3\r\n".utf8))), at: .head, byte: 17),
            Fault(.close, at: .end),
        ]
        return [("hinted", hinted), ("half", half), ("unmeasured", unmeasured)]
    }
}
