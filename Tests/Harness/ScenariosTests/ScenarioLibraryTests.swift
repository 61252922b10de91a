import LocatedYAML
import Scenarios
import Testing
import TestSupport

@Suite("Files and folders of scenarios")
struct ScenarioLibraryTests {
    @Test("A folder gives every .yaml file below it, in order, and nothing else")
    func folder() throws {
        let files = [
            "scenarios/b/z.yaml": suiteText(steps: "- idle"),
            "scenarios/b/a.yaml": suiteText(steps: "- idle"),
            "scenarios/a.yaml": suiteText(steps: "- idle"), "scenarios/README.md": "#",
            "scenarios/schema.json": "{",
            "scenarios/.hidden.yaml": "{", "scenarios/b/checked.txt": "{",
        ]
        try withFolder(files) { folder in
            let library = try ScenarioLibrary.load(paths: [folder + "/scenarios/"])
            #expect(library.suites.map(\.path) == ["a", "b/a", "b/z"])
            #expect(library.suites[1].scenarios.map(\.id) == ["b/a/first"])
            #expect(library.dependencies.isEmpty)
            #expect(library.suites[0].scenarios[0].position.file == folder + "/scenarios/a.yaml")
            let twice = try ScenarioLibrary.load(paths: [
                folder + "/scenarios/b", folder + "/scenarios/b/a.yaml",
            ])
            #expect(twice.suites.map(\.path) == ["b/a", "b/z"])
        }
    }

    @Test("A dependency is found in a file that was not requested, and so is that file's dependency")
    func dependencies() throws {
        let files = [
            "scenarios/a/x.yaml": suiteText(steps: "- idle", more: "depends-on: b/y/first"),
            "scenarios/b/y.yaml": suiteText(steps: "- idle", more: "depends-on: [b/z/first]"),
            "scenarios/b/z.yaml": suiteText(steps: "- idle"),
        ]
        try withFolder(files) { folder in
            let library = try ScenarioLibrary.load(paths: [folder + "/scenarios/a"])
            #expect(library.suites.map(\.path) == ["a/x"])
            #expect(library.suites[0].scenarios[0].dependencies == ["b/y/first"])
            #expect(library.dependencies.map(\.path) == ["b/y", "b/z"])
        }
    }

    @Test("The file of a dependency is named like those that were requested")
    func dependencyName() throws {
        let files = [
            "scenarios/a/x.yaml": suiteText(steps: "- idle", more: "depends-on: b/y/first"),
            "scenarios/b/y.yaml": suiteText(steps: "- idle"),
        ]
        try withFolder(files) { folder in
            for (top, path) in [("/./scenarios", "/a"), ("/scenarios/../scenarios", "/a/x.yaml")] {
                let library = try ScenarioLibrary.load(paths: [folder + top + path])
                let names = (library.suites + library.dependencies).flatMap(\.scenarios).map(\.position.file)
                #expect(names == [folder + top + "/a/x.yaml", folder + top + "/b/y.yaml"])
            }
        }
    }

    @Test("Problems of all files are reported together")
    func problems() throws {
        let files = [
            "scenarios/a.yaml": suiteText(
                steps: "- idle",
                more: "depends-on: [frist, first, b/first, c/first]"
            ),
            "scenarios/b.yaml": suiteText(steps: "- idle", more: "depends-on: a/first"),
            "scenarios/c.yaml": "{}",
        ]
        try withFolder(files) { folder in
            let root = folder + "/scenarios"
            #expect(
                report([root, folder + "/none"]).replacing(folder, with: "F") == """
                    F/none:1:1: found no file or folder of this name, expected scenarios
                    F/scenarios/a.yaml:7:18: found undefined scenario "a/frist", expected "a/first"
                    F/scenarios/a.yaml:7:25: found a circular dependency: a/first, a/first, expected dependencies without cycles
                    F/scenarios/a.yaml:7:41: found undefined scenario "c/first", expected "a/first"
                    F/scenarios/b.yaml:7:17: found a circular dependency: a/first, b/first, a/first, expected dependencies without cycles
                    F/scenarios/c.yaml:1:1: found a suite without "scenarios", expected "scenarios"
                    F/scenarios/c.yaml:1:1: found a suite without "suite", expected "suite"
                    """
            )
        }
    }

    @Test("A folder without scenarios and a file that is not UTF-8 are problems")
    func nothing() throws {
        try withFolder(["empty/x.txt": "x", "one.yaml": suiteText(steps: "- idle")]) { folder in
            #expect(report([folder + "/empty"]).hasSuffix("found no .yaml file below it, expected scenarios"))
            let library = try ScenarioLibrary.load(paths: [folder + "/one.yaml"])
            #expect(library.suites.map(\.path) == ["one"])
            #expect(
                report([folder + "/one.yaml/x"]).hasSuffix(
                    "no file or folder of this name, expected scenarios"
                )
            )
        }
    }

    private func report(_ paths: [String]) -> String {
        do throws(YAMLProblems) {
            _ = try ScenarioLibrary.load(paths: paths)
            return "none"
        } catch {
            return error.description
        }
    }
}
