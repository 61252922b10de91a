import ArgumentParser
import CacheSemantics

extension Deviations {
    /// Returns the deviations with these names; throws for an unknown name.
    init(named names: [String]) throws {
        self.init()
        for name in names {
            guard let deviation = Deviations(name: name) else {
                let known = Deviations.names.joined(separator: ", ")
                throw ValidationError("--deviation: found \"\(name)\", expected \(known)")
            }
            formUnion(deviation)
        }
    }
}
