import ArgumentParser
import LocatedYAML
import Scenarios
import StackScenarios

/// Files with rules of the user's project.
struct RuleOptions: ParsableArguments {
    @Option(
        name: .customLong("rules"),
        help: ArgumentHelp(
            "YAML file with rules of your own, which scenarios can name. May be repeated.",
            valueName: "FILE"
        )
    )
    var files: [String] = []

    /// Returns the scenario language with all extensions that this program can run, and with the rules of the files.
    func language() throws -> ScenarioLanguage {
        var language = try scenarioLanguage()
        for file in files { language = language.adding(try rules(in: file, besides: language.catalogue)) }
        return language
    }

    private func rules(in file: String, besides catalogue: RuleCatalogue) throws -> [CatalogueRule] {
        try orStop(ExitStatus.badFile) {
            let text = try decodableText(file, expected: "rules")
            return try RuleFile.rules(text: text, file: file, besides: catalogue)
        }
    }

    /// The words of a command line that has these options.
    var words: [String] { files.flatMap { ["--rules", $0] } }
}
