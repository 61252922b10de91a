import Testing
import TestSupport

@Suite("Defaults of serve", .timeLimit(.minutes(2)), .blocking)
struct ServeDefaultsTests {
    @Test("The port is 8090 by default, as in the documents", .checks("mockserver.port-8090"))
    func port() throws {
        let help = try Program().run(["serve", "--help"]).text
        let option =
            help.split(separator: "--port <N>").dropFirst().first?.split(separator: " --").first ?? ""
        #expect(option.split(whereSeparator: \.isWhitespace).suffix(2) == ["(default:", "8090)"])
    }
}
