import Testing

/// Names the rules that a test or suite checks, by id.
struct Checks: TestTrait, SuiteTrait {
    let ids: [String]
}

extension Trait where Self == Checks {
    static func checks(_ ids: String...) -> Self {
        Checks(ids: ids)
    }
}
