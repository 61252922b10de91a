extension Step {
    /// Returns the step for one round of the `repeat` that contains it: `${round}` is replaced by the round's number,
    /// from 1.
    ///
    /// Steps in a nested `repeat` use the rounds of that one.
    package func inRound(_ round: Int) -> Step {
        let number = String(round)
        switch self {
        case .request(let request): return .request(request.inRound(number))
        case .parallel(let requests): return .parallel(requests.map { $0.inRound(number) })
        case .lookup(let request): return .lookup(request.inRound(number))
        case .store(var entry):
            entry.path = entry.path.inRound(number)
            return .store(entry)
        default: return self
        }
    }
}

extension RequestStep {
    fileprivate func inRound(_ number: String) -> RequestStep {
        var step = self
        step.path = path.inRound(number)
        step.query = query?.inRound(number)
        return step
    }
}

extension String {
    private static let roundMark = "${round}"

    fileprivate func inRound(_ number: String) -> String {
        guard let mark = firstIndex(of: "$"), self[mark...].contains(Self.roundMark) else { return self }
        return split(separator: Self.roundMark, omittingEmptySubsequences: false).joined(separator: number)
    }
}
