import Locks
import PublicSuite
import Scenarios

/// A cache in this process as one test of the public suite uses it; created at the first request, which names the
/// origin.
final class InProcessSuiteSubject: SuiteSubject {
    private let make: @Sendable (String) -> Result<any Subject, SubjectError>
    private let made = Lock<Result<any Subject, SubjectError>?>(nil)

    init(make: @escaping @Sendable (String) -> Result<any Subject, SubjectError>) { self.make = make }

    var breakdown: String? {
        if case .failure(let error)? = made.withLock({ $0 }) { error.description } else { nil }
    }

    func send(_ call: SuiteCall, to origin: String) async -> SuiteReply {
        // Outside the lock, because it is the user's code; the requests of a test come one after another.
        let subject = made.withLock { $0 } ?? make(origin)
        made.withLock { $0 = subject }
        var request = SubjectRequest(
            method: call.method,
            url: origin + call.target,
            fields: call.fields,
            body: call.body,
            policy: call.policy,
            timeout: SuiteConversation.patience
        )
        request.followsRedirects = call.followsRedirects
        return SuiteReply(await CallerObservation(of: request, from: subject))
    }

    func close() {}
}
