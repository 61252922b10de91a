import ArgumentParser

/// The one command of the project.
@main
struct CacheCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cachecheck",
        abstract: "Test HTTP caches, serve a mock origin, and see why a response was served.",
        subcommands: [Serve.self]
    )
}
