import Clocks
import ControlServing
import JSON
import Lab
import TestSupport

/// A lab on a virtual clock, with its API.
final class LabUnderTest: Sendable {
    let clock = VirtualClock(wallSeconds: 1_767_225_600)
    let lab: CachingLab
    let control: LabControl

    init() throws {
        lab = try CachingLab(following: clock)
        control = LabControl(of: lab, lessons: try Lesson.all())
        try control.start()
    }

    deinit {
        control.stop()
        lab.stop()
    }

    /// Sends a request with the token; `body` is JSON.
    func ask(_ method: String, _ path: String, _ body: String = "", token: String? = nil) throws
        -> RawResponse
    {
        let client = try RawClient(port: control.port)
        try client.request(method, path, ["Authorization: Bearer \(token ?? control.token)"], body: body)
        return try client.response()
    }

    /// Performs actions and returns the result of the last.
    func perform(_ actions: String...) async throws -> LabResult? {
        var last: LabResult?
        for action in actions { last = await lab.perform(try LabAction(action)) }
        return last
    }
}
