import Clocks
import PublicSuite
import Scenarios

/// A subject outside the process as one test of the public suite uses it.
protocol SuiteSubject: Sendable {
    /// Why the subject can no longer be used; `nil` while it can.
    var breakdown: String? { get }
    /// Sends the request of a test to an origin at a URL.
    func send(_ call: SuiteCall, to origin: String) async -> SuiteReply
    /// Ends the use by the test.
    func close()
}

/// A proxy as one test of the public suite uses it.
struct ProxySuiteSubject: SuiteSubject {
    let proxy: ProxyAddress
    /// The proxy's URL if it has one origin; `nil` for a forward proxy, which gets requests for the origin's URL.
    let url: String?

    var breakdown: String? { proxy.breakdown }

    func send(_ call: SuiteCall, to origin: String) async -> SuiteReply {
        let request = WireRequest(
            method: call.method,
            url: (url ?? origin) + call.target,
            fields: call.fields,
            body: call.body,
            followsRedirects: call.followsRedirects
        )
        return await proxy.send(request, within: SuiteConversation.patience)
    }

    func close() {}
}

/// A driver as one test of the public suite uses it.
struct DriverSuiteSubject: SuiteSubject {
    let link: DriverLink
    let leave: @Sendable () -> Void

    var breakdown: String? { link.breakdown }

    func send(_ call: SuiteCall, to origin: String) async -> SuiteReply {
        let request = SubjectRequest(
            method: call.method,
            url: origin + call.target,
            fields: call.fields,
            body: call.body,
            policy: call.policy,
            timeout: SuiteConversation.patience
        )
        let command = DriverCommand.request(request, followsRedirects: call.followsRedirects)
        return await withCheckedContinuation { continuation in
            link.ask(command, within: SuiteConversation.patience + DriverPool.patience) { reply in
                continuation.resume(returning: SuiteReply(CallerObservation(reply)))
            }
        }
    }

    func close() { leave() }
}

extension SuiteReply {
    /// Creates the reply that a subject's caller saw, in the suite's terms.
    init(_ seen: CallerObservation) {
        if let status = seen.status {
            self = .response(SuiteResponse(status: status, fields: seen.fields, body: seen.body))
        } else {
            let isLate = seen.error?.code == ErrorCode.code(named: "timed-out")
            self = isLate ? .timedOut : .failed(seen.error?.text ?? "there was no response")
        }
    }
}
