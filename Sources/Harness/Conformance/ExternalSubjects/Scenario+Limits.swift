import OriginScript
import Scenarios

extension Scenario {
    /// Whether it fails for a subject whose HTTP implementation has the limit, regardless of its cache.
    func exceeds(_ limit: DriverCapabilities.Limit) -> Bool {
        switch limit {
        case .obsoleteText: answerFields.contains { $0.value.isObsolete }
        case .emptyQuery: requestSteps.contains { $0.query?.isEmpty == true }
        case .interimResponses: answers.contains { $0.sendsInterim } || allFaults.contains(where: \.isInterim)
        case .prematureClose: allFaults.contains(where: \.cutsHead)
        case .invalidLength: allFaults.contains(where: \.addsLength)
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
        case .invalidLength: "The subject accepts an invalid Content-Length."
        }
    }
}

extension Answer {
    /// Whether a client that knows only 100 (Continue) treats another interim response as the final one.
    fileprivate var sendsInterim: Bool {
        interim.contains { $0.status != 100 }
    }
}

extension Fault {
    fileprivate var isInterim: Bool {
        if case .interim(let status) = action { status != 100 } else { false }
    }

    /// Whether it inserts a `Content-Length` into the head besides the origin's own.
    fileprivate var addsLength: Bool {
        guard event == .head, case .garbage(.bytes(let bytes)) = action else { return false }
        return String(decoding: bytes, as: UTF8.self).lowercased().contains("content-length:")
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
