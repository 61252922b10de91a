import JSON
import TestSupport
import Testing

@Suite("Help texts", .timeLimit(.minutes(20)), .blocking)
struct HelpTests {
    @Test("The help of each command that runs something lists its exit statuses")
    func exitStatuses() throws {
        let text = try Program().run(["--experimental-dump-help"]).text
        let root = try #require(try JSONValue(parsing: Array(text.utf8))["command"])
        let leaves = Self.leaves(of: root, "")
        #expect(leaves.count >= 20)
        for (name, command) in leaves {
            #expect(command["discussion"]?.text?.contains("Exit status: ") == true, "\(name)")
        }
    }

    /// Returns the commands without subcommands, with their names.
    private static func leaves(of command: JSONValue, _ parents: String) -> [(String, JSONValue)] {
        let name = parents + " " + (command["commandName"]?.text ?? "")
        guard case .array(let commands)? = command["subcommands"], !commands.isEmpty else {
            return [(name, command)]
        }
        return commands.filter { $0["commandName"]?.text != "help" }.flatMap { leaves(of: $0, name) }
    }
}
