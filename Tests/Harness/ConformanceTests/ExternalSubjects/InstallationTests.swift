import TestSupport
import Testing

@testable import Conformance

@Suite("What is installed for subjects", .blocking)
struct InstallationTests {
    @Test("Every proxy and every driver that has a file is listed once, with what it has and what it lacks")
    func all() {
        let all = Installation.all()
        let names = KnownProxy.all.map(\.name) + BundledDrivers.names.filter { $0 != "cachecheck" }
        #expect(all.map(\.name).sorted() == (names + ["libfaketime"]).sorted())
        for each in all where each.kind != .clock {
            #expect(each.found.count + each.missing.count > 0, "\(each.name)")
        }
        #expect(all.filter { $0.kind == .browser }.map(\.name) == ["chromium"])
    }

    @Test("A program that is not there has no version, and its package is named")
    func missing() {
        let program = RequiredProgram(name: "no-such-program", package: "no-such-package")
        #expect(program.path == nil)
        #expect(program.title == nil)
        #expect(RequiredProgram(name: "sh", package: "dash", versionFlag: "-c 'echo 1.2'").title == "sh 1.2")
    }
}
