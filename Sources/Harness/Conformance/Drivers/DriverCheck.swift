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
        /// A remark on a driver that is right; `nil` for none.
        package var note: String?
    }
    private let command: [String]
    private let clock = SystemClock()
    private let patience: Duration

    /// Creates a check of a driver; `patience` is the time limit of a step.
    package init(_ command: [String], patience: Duration = .seconds(20)) {
        self.command = command
        self.patience = patience
    }

    /// Runs the checks and reports each result; stops after the first that breaks the driver.
    ///
    /// Returns whether every check succeeded.
    package func run(_ report: (Step) -> Void) throws(RunnerError) -> Bool {
        let server = try startOrigin()
        defer { server.stop() }
        var course = DriverChecklist(command, clock: clock, patience: patience, origin: origin(at: server))
        var isRight = true
        for step in DriverChecklist.steps {
            let result = course.take(step)
            report(result)
            if result.problem != nil { isRight = false }
            if course.isOver { break }
        }
        course.close()
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
        var stored = Answer()
        stored.fields = [FieldLine("Cache-Control", .text("max-age=60"))]
        stored.body = .text("one")
        var marked = Answer()
        marked.fields = [FieldLine("X-Bytes", .text("caf\u{E9}"))]
        var bytes = Answer()
        bytes.fields = [FieldLine("Cache-Control", .text("no-store"))]
        bytes.body = .bytes([0, 255, 10, 13, 128])
        var coded = Answer()
        coded.fields = [FieldLine("Cache-Control", .text("no-store"))]
        coded.gzip = .always
        coded.body = .text("plain")
        var fresh = stored
        fresh.entityTag = .literal("\"v1\"")
        var moved = Answer()
        moved.status = 302
        moved.fields = [
            FieldLine("Location", .text("target")), FieldLine("Cache-Control", .text("no-store")),
        ]
        var target = Answer()
        target.fields = [FieldLine("Cache-Control", .text("no-store"))]
        target.body = .text("target")
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
        var stalled = Answer()
        stalled.delay = .seconds(60)
        let routes = [
            Route(label: "stalled", path: .exact("/stalled"), answers: [stalled]),
            Route(label: "stored", path: .exact("/stored"), answers: [stored]),
            Route(label: "marked", path: .exact("/marked"), answers: [marked]),
            Route(label: "bytes", path: .exact("/bytes"), answers: [bytes]),
            Route(label: "coded", path: .exact("/coded"), answers: [coded]),
            Route(label: "fresh", path: .exact("/fresh"), answers: [fresh]),
            Route(label: "moved", path: .exact("/moved"), answers: [moved]),
            Route(label: "target", path: .exact("/target"), answers: [target]),
            Route(label: "hinted", path: .exact("/hinted"), answers: [hinted]),
            Route(label: "half", path: .exact("/half"), answers: [half]),
            Route(label: "unmeasured", path: .exact("/unmeasured"), answers: [unmeasured]),
        ]
        let namespace = server.open(
            token: "check",
            routes: routes,
            clock: clock,
            startedAt: clock.wallSeconds
        )
        return NamespaceOrigin(namespace, port: server.port ?? 0)
    }
}
