import OriginScript
import Scenarios

extension Scenario {
    /// Whether it fails for a subject whose HTTP implementation has the limit, whatever its cache does.
    func exceeds(_ limit: DriverCapabilities.Limit) -> Bool {
        switch limit {
        case .obsoleteText: answerFields.contains { $0.value.isObsolete }
        case .emptyQuery: requestSteps.contains { $0.query?.isEmpty == true }
        case .interimResponses: answers.contains { $0.sendsInterim } || faults.contains(where: \.isInterim)
        case .prematureClose: (faults + answers.flatMap(\.faults)).contains(where: \.cutsHead)
        }
    }

    private var answers: [Answer] { routes.flatMap(\.answers) }

    private var answerFields: [FieldLine] { answers.flatMap(\.fields) }

    private var requestSteps: [RequestStep] { Self.requests(in: steps) }

    private static func requests(in steps: [LocatedStep]) -> [RequestStep] {
        steps.flatMap { located -> [RequestStep] in
            switch located.step {
            case .request(let request): [request]
            case .parallel(let requests): requests
            case .repeat(_, let inner): requests(in: inner)
            default: []
            }
        }
    }
}

extension DriverCapabilities.Limit {
    /// Why a scenario that exceeds the limit is skipped.
    var skipReason: String {
        switch self {
        case .obsoleteText: "The subject does not support non-ASCII field values."
        case .emptyQuery: "The subject does not send an empty query."
        case .interimResponses: "The subject takes an interim response for the final one."
        case .prematureClose: "The subject takes a response that ends in its head for complete."
        }
    }
}

extension Answer {
    /// Whether a client that knows 100 (Continue) alone takes another response for the answer.
    fileprivate var sendsInterim: Bool {
        interim.contains { $0.status != 100 } || faults.contains(where: \.isInterim)
    }
}

extension Fault {
    fileprivate var isInterim: Bool {
        if case .interim(let status) = action { status != 100 } else { false }
    }

    /// Whether it ends the connection within the head, after a part of it has been sent.
    fileprivate var cutsHead: Bool {
        guard event == .head, action == .close || action == .halfClose else { return false }
        return switch point {
        case .byte(let span): span.high > 0
        case .share(let span): span.high > 0
        }
    }
}

extension FieldValue {
    /// Whether it has bytes beyond ASCII.
    fileprivate var isObsolete: Bool {
        if case .text(let text) = self { !text.utf8.allSatisfy { $0 < 0x80 } } else { false }
    }
}
