/// `scenario-run`: every scenario over loopback in virtual time, one at a time.
enum ScenarioBench {
    static func run(_ options: Options) throws -> [Figure] {
        let samples = try Samples(count: 5) {
            let status = Processes.run("\(options.programs)/cachecheck", ["run", "scenarios", "--jobs", "1"])
            guard status == 0 else { throw Failure(status: 70, text: "cachecheck run ended with \(status)") }
        }
        return [Figure(.scenarioRun, samples)]
    }
}
