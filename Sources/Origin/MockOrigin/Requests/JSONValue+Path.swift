import JSON
import OriginScript

extension JSONValue {
    /// Parses the content of a request; `nil` if it is not JSON, or is nested so deeply that it would exhaust the stack
    /// of a server thread.
    init?(content: [UInt8]) {
        guard let value = try? JSONValue(parsing: content, depthLimit: 256) else { return nil }
        self = value
    }

    /// Returns the values at a path in order; empty if the path matches nothing.
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

    /// A string without quotes, any other value as JSON.
    var matchedText: String { text ?? written() }
}
