extension FetchBatch.Member {
    func labelled(_ label: String) -> FetchBatch.Member {
        FetchBatch.Member(label, after: dependencies, make: make)
    }
}

extension FetchBatch {
    private typealias Outcome = Result<FetchResponse, FetchError>

    /// Returns the result of each request, and the failure that occurred first.
    func outcome() async throws(FetchError)
        -> (results: [Result<FetchResponse, FetchError>], first: FetchError?)
    {
        try check()
        let cells = members.map { _ in FetchPromise<Outcome>() }
        let indices = Dictionary(members.indices.map { (members[$0].label, $0) }) { first, _ in first }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for index in members.indices {
                group.addTask {
                    let outcome = await load(members[index]) {
                        await cells[indices[$0] ?? index].wait()
                    }
                    cells[index].fulfill(outcome)
                    return (index, outcome)
                }
            }
            var outcomes: [Int: Outcome] = [:]
            var first: FetchError?
            for await (index, outcome) in group {
                outcomes[index] = outcome
                guard case .failure(let error) = outcome, first == nil else { continue }
                first = error
                if rule == .cancelRemaining { group.cancelAll() }
            }
            return (members.indices.map { outcomes[$0] ?? .failure(.cancelled) }, first)
        }
    }

    private func load(
        _ member: Member,
        outcome: (String) async -> Outcome
    ) async -> Outcome {
        do throws(FetchError) {
            let done = try await responses(to: member.dependencies, outcome: outcome)
            if Task.isCancelled { throw .cancelled }
            return .success(try await session.send(member.make(done)))
        } catch {
            return .failure(error)
        }
    }

    private func responses(
        to names: [String],
        outcome: (String) async -> Outcome
    ) async throws(FetchError) -> [String: FetchResponse] {
        var done: [String: FetchResponse] = [:]
        for name in names {
            switch await outcome(name) {
            case .success(let response): done[name] = response
            case .failure(let error):
                throw FetchError(.dependencyFailed, "\"\(name)\" failed: \(error.reason)")
            }
        }
        return done
    }

    /// Checks the dependencies by removing members whose dependencies are met until none is left.
    private func check() throws(FetchError) {
        guard Set(members.map(\.label)).count == members.count else {
            throw FetchError(.badRequest, "Two members of the batch have the same name.")
        }
        var waiting = members
        var done: Set<String> = []
        while !waiting.isEmpty {
            let ready = waiting.filter { $0.dependencies.allSatisfy(done.contains) }
            guard !ready.isEmpty else {
                let names = waiting.map { "\"\($0.label)\"" }.joined(separator: ", ")
                throw FetchError(
                    .badRequest,
                    "The dependencies of \(names) do not exist in the batch, or are circular."
                )
            }
            done.formUnion(ready.map(\.label))
            waiting.removeAll { done.contains($0.label) }
        }
    }
}
