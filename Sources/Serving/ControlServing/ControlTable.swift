import HTTPServing
import TextCodings

/// The operations of a control API by method and path.
struct ControlTable: Sendable {
    let operations: [ControlOperation]

    /// Whether no operation requires a token.
    var isOpen: Bool { operations.allSatisfy { $0.access == .open } }

    /// Returns the operation for a request and the parameters of its path.
    func find(
        _ method: String,
        _ path: String
    ) throws(ControlProblem) -> (operation: ControlOperation, parameters: [String: String]) {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            PercentText.decode(part) ?? String(part)
        }
        var methods: [String] = []
        for operation in operations {
            guard let parameters = operation.parameters(of: segments) else { continue }
            if operation.method == method { return (operation, parameters) }
            methods.append(operation.method)
        }
        if methods.isEmpty {
            let sentence = "There is no operation at \(path); GET /openapi.json lists all operations."
            throw ControlProblem(status: 404, sentence)
        }
        var problem = ControlProblem(status: 405, "")
        problem.allowedMethods = methods.sorted().joined(separator: ", ")
        problem.sentence = "\(path) takes \(problem.allowedMethods), not \(method)."
        throw problem
    }
}
