package import OriginScript

extension Scenario {
    /// Its steps in the order of the file; those of a `repeat` once, in place of it.
    package var allSteps: [Step] { steps.flattened }

    /// The requests of all steps `request` and `parallel`.
    package var requestSteps: [RequestStep] { allSteps.flatMap(\.requests) }

    /// The answers of all routes.
    package var answers: [Answer] { routes.flatMap(\.answers) }

    /// The field lines of all answers.
    package var answerFields: [FieldLine] { answers.flatMap(\.fields) }

    /// The faults of connections, of every request and of answers.
    package var allFaults: [Fault] { faults + answers.flatMap(\.faults) }
}

extension [LocatedStep] {
    /// The steps; those of a `repeat` once, in place of it.
    var flattened: [Step] {
        flatMap { located -> [Step] in
            if case .repeat(_, let steps) = located.step { steps.flattened } else { [located.step] }
        }
    }
}

extension Step {
    fileprivate var requests: [RequestStep] {
        switch self {
        case .request(let request): [request]
        case .parallel(let requests): requests
        default: []
        }
    }
}
