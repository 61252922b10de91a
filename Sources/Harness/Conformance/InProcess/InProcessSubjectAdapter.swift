import Clocks
import HTTPTypes
import Locks
import Scenarios
import Threads

/// A cache in this process, as one scenario uses it.
///
/// Its tasks have their own threads: a request has a time limit, and the tests around it may block all threads of Swift's
/// executor.
final class InProcessSubjectAdapter: SubjectAdapter {
    private let made: Result<any Subject, SubjectError>
    private let access: OriginAccess
    private let clock: any TimeSource
    private let overlap = RequestOverlap()
    private let requests = Lock<[Task<Void, Never>]>([])

    init(_ made: Result<any Subject, SubjectError>, at access: OriginAccess, clock: any TimeSource) {
        (self.made, self.access, self.clock) = (made, access, clock)
    }

    /// The reason why the cache could not be created.
    var breakdown: String? {
        if case .failure(let error) = made { error.description } else { nil }
    }

    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange {
        let task = Task(executorPreference: ThreadExecutor.started()) { [made, clock, overlap, access] in
            let arrivals = access.arrivalsFromNow()
            let flight = overlap.begin()
            let begin = clock.elapsed
            var seen = await CallerObservation(of: request, from: made)
            overlap.end(flight, &seen, arrivals)
            seen.took = max((clock.elapsed - begin).seconds, 1e-9)
            completion(seen)
        }
        requests.withLock { $0.append(task) }
        return TaskExchange(task: task)
    }

    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation {
        let stored = try wait(for: { try await $0.storedResponse(for: request) })
        var seen = CallerObservation()
        if let stored { seen.take(stored) }
        seen.isFound = stored != nil
        return seen
    }

    func store(_ entry: SubjectEntry) throws(SubjectError) {
        throw SubjectError("entries cannot be added to the subject's store")
    }

    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError) {
        guard action == .clear else { throw SubjectError("the subject can only remove everything") }
        try wait(for: { try await $0.removeAll() })
    }

    func restart() throws(SubjectError) { try wait(for: { try await $0.restart() }) }

    func use(_ network: ClientNetwork) {}

    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void) {
        guard case .success(let subject) = made else { return completion() }
        Task(executorPreference: ThreadExecutor.started()) {
            await subject.finishBackgroundWork()
            completion()
        }
    }

    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation {
        throw SubjectError("the subject does not report its usage")
    }

    /// Cancels requests that have not ended, and closes the cache, so that nothing of a scenario continues after it.
    func close() {
        for task in requests.withLock({ $0 }) { task.cancel() }
        guard case .success(let subject) = made else { return }
        _ = waiting(on: ThreadExecutor.started(), until: access.cancellation) { await subject.close() }
    }

    /// Waits on the thread of the steps, which may block, for a call of the cache.
    private func wait<Value: Sendable>(
        for call: @escaping @Sendable (any Subject) async throws -> Value
    ) throws(SubjectError) -> Value {
        let subject = try made.get()
        let result = waiting(on: ThreadExecutor.started(), until: access.cancellation) {
            () -> Result<Value, SubjectError> in
            do {
                return .success(try await call(subject))
            } catch {
                return .failure(SubjectError("\(error)"))
            }
        }
        guard let result else { throw SubjectError("\(HarnessProblem.runCancelled)") }
        return try result.get()
    }
}

/// A request that is cancelled with its task.
private struct TaskExchange: SubjectExchange {
    let task: Task<Void, Never>

    func cancel() { task.cancel() }
}

extension CallerObservation {
    /// Sends a request to a cache and returns what its caller sees.
    init(of request: SubjectRequest, from made: Result<any Subject, SubjectError>) async {
        self.init()
        do { take(try await made.get().respond(to: request)) } catch { self.error = (-1, "\(error)") }
    }

    fileprivate mutating func take(_ response: SubjectResponse) {
        source = response.source
        status = response.status
        fields = response.headerFields.latin1Lines
        body = response.body
        age = CacheFields.age(in: fields)
        cacheStatus = CacheFields.lastStatus(in: fields)
        decode()
    }
}
