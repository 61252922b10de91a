import JSON
import OriginScript

extension JSONValue {
    /// Reads the content of a request; `nil` for what is no JSON, or is nested so deep that it would exhaust the stack
    /// of a thread that answers.
    init?(content: [UInt8]) {
        guard let value = try? JSONValue(parsing: content, depthLimit: 256) else { return nil }
        self = value
    }

    /// Returns the values at a path in order; none where it leads nowhere.
    func values(at steps: ArraySlice<JSONPath.Step>) -> [JSONValue] {
        guard let step = steps.first else { return [self] }
        let next: [JSONValue] =
            switch (step, self) {
            case (.member(let name), .object(let object)): object[name].map { [$0] } ?? []
            case (.element(let index), .array(let elements)): index < elements.count ? [elements[index]] : []
            case (.every, .array(let elements)): elements
            case (.every, .object(let object)): object.members.map(\.value)
            default: []
            }
        return next.flatMap { $0.values(at: steps.dropFirst()) }
    }

    /// A string as it reads, anything else as JSON.
    var matchedText: String { text ?? written() }
}
