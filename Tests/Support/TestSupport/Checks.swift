// Programs that are linked statically with Swift, such as those of `ci/differential`, have no library of tests.
#if canImport(Testing)
    package import Testing

    /// Names the rules that a test or suite checks, by id.
    package struct Checks: TestTrait, SuiteTrait {
        package let ids: [String]
    }

    extension Trait where Self == Checks {
        package static func checks(_ ids: String...) -> Self {
            Checks(ids: ids)
        }
    }
#endif
