import MockOriginExampleTests
import Testing
import XCTest

/// Runs the tests of one of the two libraries, as the package manager's own main program does, but without the index, from which
/// that one lists the classes of XCTest.
@main
struct TestMain {
    static func main() async {
        let library = CommandLine.arguments.drop { $0 != "--testing-library" }.dropFirst().first
        if library == "swift-testing" { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain(ListedTestCases.all)
    }
}
