// MARK: Mutation; ci/mutate appends this to the manifest of its copy.

/// The names in a variable of the environment.
func names(in variable: String) -> Set<String> {
    Set((Context.environment[variable] ?? "").split(separator: " ").map(String.init))
}

let mutatedTargets = names(in: "CACHECHECK_MUTATED")
package.targets.append(
    .target(
        name: "MutationSwitch",
        path: "Sources/Support/MutationSwitch",
        swiftSettings: [.unsafeFlags(["-O", "-enforce-exclusivity=unchecked"])]
    )
)
package.targets.append(
    .executableTarget(
        name: "MutationWorker",
        dependencies: ["CacheSemantics", "Conformance", "MutationSwitch", "Scenarios", "StackScenarios"],
        path: "Sources/Tools/MutationWorker",
        swiftSettings: [.unsafeFlags(["-O"])]
    )
)
for target in package.targets where mutatedTargets.contains(target.name) {
    target.dependencies.append("MutationSwitch")
    // Mutants leave code that is never executed. An expression with many of them can take the compiler's solver forever: after
    // three seconds of the processor it gives up, and the line gets fewer mutants.
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .treatAllWarnings(as: .warning),
            .unsafeFlags(["-Xfrontend", "-solver-expression-time-threshold=3"]),
        ]
}

/// The names of the targets that a target uses directly.
func used(by target: Target) -> [String] {
    let dependencies = target.dependencies.compactMap { dependency -> String? in
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
    }
    let plugins = (target.plugins ?? []).compactMap { plugin -> String? in
        if case .plugin(let name, _) = plugin { name } else { nil }
    }
    return dependencies + plugins
}

// Only the worker, the named tests and what they use.
let byName = Dictionary(package.targets.map { ($0.name, $0) }) { first, _ in first }
var needed: Set<String> = []
var open = ["MutationWorker"] + names(in: "CACHECHECK_TESTED")
while let name = open.popLast() {
    guard let target = byName[name], needed.insert(name).inserted else { continue }
    open += used(by: target)
}
package.targets.removeAll { !needed.contains($0.name) }
package.products.removeAll()
