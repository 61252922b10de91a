import ArgumentParser

@main
struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mutation tests of the source; called by ci/mutate.",
        subcommands: [Instrument.self, Exclude.self, Execute.self, Violate.self]
    )
}
