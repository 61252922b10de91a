import ArgumentParser
import CacheSemantics

extension Deviations {
    /// The deviations of these names; throws for a name that there is not.
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
