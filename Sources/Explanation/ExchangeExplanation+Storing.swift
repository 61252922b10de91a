import CacheSemantics
import HTTPTypes

extension ExchangeExplanation {
    mutating func tellStoring(
        _ stored: StoredResponse?,
        _ settlement: Settlement,
        _ exchange: ExplainedExchange
    ) {
        let kind = "a \(exchange.engine.kind.rawValue) cache"
        if let stored {
            let reason = settlement.findings.last { $0.rule == .storeExplicitOrHeuristic && $0.held }
            note(.storing, "It may be stored by \(kind)", reason?.rule ?? .storeExplicitOrHeuristic)
            // Of a part it is known which it is, without the field.
            let dropped = exchange.response.headerFields.map(\.name).filter {
                !stored.response.headerFields.contains($0) && (stored.parts == nil || $0 != .contentRange)
            }
            if !dropped.isEmpty {
                let names = Set(dropped).map(\.rawName).sorted().joined(separator: ", ")
                note(.storing, "\(names) would not be stored with it", .dropConnectionFields)
            }
        } else {
            // What was consulted last decided.
            let reason = settlement.findings.last { !$0.held }
            let why = reason.map { ": \($0.detail)" } ?? ""
            note(.storing, "It may not be stored by \(kind)\(why)", reason?.rule ?? .storeExplicitOrHeuristic)
        }
        for case .invalidate(let key) in settlement.edits {
            note(.storing, "What is stored for \(key.targetURI) is invalidated", .unsafeInvalidates)
        }
    }

    mutating func tellKey(_ stored: [StoredResponse], _ exchange: ExplainedExchange) {
        guard let stored = stored.first else { return }
        note(.key, "It is found by GET and HEAD requests for \(stored.key.targetURI)", .keyHasMethodAndTarget)
        guard !stored.vary.neverMatches else {
            note(.key, "Vary has a member *, so that no request ever matches", .varyStarNeverMatches)
            return
        }
        for name in stored.vary.names {
            let lines = stored.selectingFields[values: name]
            let value = lines.isEmpty ? "absent" : "\"\(lines.joined(separator: ", "))\""
            note(.key, "Requests match whose \(name.rawName) is \(value)", .varyMatches)
        }
        if exchange.engine.keyHasCredentials {
            note(.key, "The credentials of the request are part of the key", .keyHasCredentials)
        }
    }
}
