import CLibrary
import Clocks
import Locks
import ReportFormats
import Scenarios

/// The steps of a driver's check.
struct DriverChecklist {
    /// One check of a driver.
    struct Item: Sendable {
        let title: String
        /// The capability that a driver must have declared; `nil` if every driver is checked.
        var needs: DriverCapabilities.Capability?
        /// The limit that a driver which fails the check has to declare; `nil` if none excuses it.
        var limit: DriverCapabilities.Limit?
        let run: @Sendable (inout DriverChecklist) throws(SubjectError) -> Void
    }
    let command: [String]
    let clock: SystemClock
    let timeout: Duration
    let origin: NamespaceOrigin
    var link: DriverLink?
    var hello: DriverCapabilities?

    init(_ command: [String], clock: SystemClock, timeout: Duration, origin: NamespaceOrigin) {
        (self.command, self.clock, self.timeout, self.origin) = (command, clock, timeout, origin)
    }

    /// Whether the driver cannot be checked any further.
    var isFinished: Bool { link == nil || hello == nil || link?.breakdown != nil }

    /// Runs one check.
    mutating func run(_ item: Item) -> DriverCheck.Step {
        if let needed = item.needs, hello?.capabilities.contains(needed) != true {
            let reason = "The driver does not have the capability \"\(needed.rawValue)\"."
            return DriverCheck.Step(title: item.title, problem: nil, skipped: reason)
        }
        if let limit = item.limit, hello?.refuses.limits.contains(limit) == true {
            return confirm(limit, by: item)
        }
        return attempt(item)
    }

    private mutating func attempt(_ item: Item) -> DriverCheck.Step {
        do throws(SubjectError) {
            try item.run(&self)
            return DriverCheck.Step(title: item.title, problem: nil, skipped: nil)
        } catch {
            // A driver that has exited has not shown a limit.
            let limit = isFinished ? nil : item.limit
            let advice = limit.map {
                "; if that is not the cache's fault, add \"\($0.rawValue)\": true to \"refuses\""
            }
            let problem = error.description + (advice ?? "")
            return DriverCheck.Step(title: item.title, problem: problem, skipped: nil)
        }
    }

    /// Verifies a declared limit in a separate process, because the check may crash it.
    private func confirm(_ limit: DriverCapabilities.Limit, by item: Item) -> DriverCheck.Step {
        var other = DriverChecklist(command, clock: clock, timeout: timeout, origin: origin)
        defer { other.close() }
        do throws(SubjectError) {
            try other.greet()
            try other.reset()
            try item.run(&other)
        } catch {
            let reason = "The driver has the limit \"\(limit.rawValue)\"."
            return DriverCheck.Step(title: item.title, problem: nil, skipped: reason)
        }
        let note = "it declares \"\(limit.rawValue)\" in \"refuses\", but does not need it"
        return DriverCheck.Step(title: item.title, problem: nil, skipped: nil, note: note)
    }

    func close() { link?.close() }

    func url(_ path: String, query: String? = nil) -> String {
        origin.authority + origin.base + path + (query.map { "?" + $0 } ?? "")
    }

    func ask(_ command: DriverCommand, orThrow: Bool = true) throws(SubjectError) -> DriverReply {
        guard let link else { throw SubjectError("it is not running") }
        let reply = try link.ask(command, within: timeout)
        return orThrow ? try reply.orThrow() : reply
    }

    func response(to request: SubjectRequest) throws(SubjectError) -> CallerObservation {
        guard let seen = try ask(.request(request)).response else {
            throw SubjectError("its reply to a request has neither \"response\" nor \"error\"")
        }
        return seen
    }

    func require(_ what: String, _ holds: Bool, expected: String, seen: String) throws(SubjectError) {
        if !holds { throw SubjectError("\(what): expected \(expected), seen \(seen)") }
    }

    func text(_ bytes: [UInt8]) -> String {
        Transcript.printable(String(decoding: bytes, as: UTF8.self)) + " (\(bytes.count) bytes)"
    }
}
