import HTTPServing
import OriginScript

/// The faults that a request asks for by `CacheCheck-Fault`.
struct RequestedFaults: Sendable {
    /// The field, whose value is a list of faults separated by `;`.
    static let field = "CacheCheck-Fault"

    private(set) var faults: [Fault] = []
    /// The value found in the field and the expected one; `nil` if it is valid or absent.
    private(set) var problem: String?

    /// Reads the field, and removes it from the head.
    init(takenFrom head: inout HeadBytes) {
        let values = head.values(Self.field)
        guard !values.isEmpty else { return }
        head.remove(Self.field)
        do throws(FaultTextProblem) {
            faults = try Fault.list(text: values.joined(separator: ";"))
        } catch {
            problem = "\(Self.field): found \(error.found), expected \(error.expected)"
        }
        guard let (found, expected) = faults.lazy.compactMap(Self.refusal).first else { return }
        problem = "\(Self.field): found \"\(found)\", expected \(expected)"
        faults = []
    }

    /// Returns the reason why a request may not ask for a fault; `nil` if it may.
    private static func refusal(of fault: Fault) -> (found: String, expected: String)? {
        if fault.event.isOfConnection {
            return (
                fault.event.rawValue,
                "an event after this field: request-body, before-head, head, body or end"
            )
        }
        if fault.path != .any { return ("path=", "a fault of this request only") }
        return fault.requests == nil ? nil : ("requests=", "a fault of this request only")
    }
}
