import LocatedYAML
import Scenarios
import Testing
import TestSupport

@testable import Conformance

@Suite("The table of known proxies")
struct KnownProxyTests {
    @Test("Every entry is found by its name only")
    func names() {
        #expect(KnownProxy.all.map { KnownProxy(named: $0.name) } == KnownProxy.all)
        #expect(Set(KnownProxy.all.map(\.name)).count == KnownProxy.all.count)
        #expect(KnownProxy(named: "Nginx") == nil)
    }

    @Test("A scenario that its configuration fails exists, and is skipped with the reason")
    func failsByConfiguration() throws {
        #expect(!KnownProxy.nginx.failsByConfiguration.isEmpty)
        for (id, reason) in KnownProxy.all.flatMap(\.failsByConfiguration) {
            let name = try #require(id.split(separator: "/").last)
            let path = packageFolder + "/scenarios/" + id.dropLast(name.count + 1) + ".yaml"
            #expect(try String(readingFile: path).contains("  - id: \(name)\n"), "\(id)")
            let position = Position(file: path, line: 1, column: 1)
            let scenario = Scenario(id: id, title: "T", level: .must, rules: [], position: position)
            var abilities = SubjectAbilities()
            #expect(scenario.obstacle(outside: abilities) == nil)
            abilities.failsByConfiguration = [id: reason]
            #expect(scenario.obstacle(outside: abilities) == reason)
        }
    }

    @Test(
        "Its files exist, and contain the placeholders of its port and the origin's",
        arguments: KnownProxy.all.map(\.name)
    )
    func files(name: String) throws {
        let proxy = try #require(KnownProxy(named: name))
        var texts = proxy.arguments
        for file in proxy.files {
            texts.append(try String(readingFile: packageFolder + "/fixtures/drivers/" + file.source))
        }
        for placeholder in ["@PORT@", "@ORIGIN@", "@FOLDER@"] {
            #expect(texts.contains { $0.contains(placeholder) }, "\(placeholder)")
        }
    }
}
