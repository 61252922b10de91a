import Scenarios

extension StackStep {
    /// What is done, in a few words.
    var title: String {
        switch self {
        case .chain(let step): step.title
        case .batch(let step): step.title
        case .finish(let step): "finish \(step.name)"
        case .settings: "set the stack up"
        case .reachability(let network): "reachability \(network.rawValue)"
        }
    }
}

extension ChainStep {
    /// `serial chain: GET /a, POST /b`.
    var title: String { "\(order.rawValue) chain: \(requests.titles)" }
}

extension BatchStep {
    /// `batch: GET /a, GET /b`.
    var title: String { "batch: \(requests.titles)" }
}

extension [FetchStep] {
    fileprivate var titles: String { map { "\($0.method) \($0.path)" }.joined(separator: ", ") }
}
