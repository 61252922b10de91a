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
