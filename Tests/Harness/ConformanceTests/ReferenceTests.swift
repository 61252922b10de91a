import OriginScript
import Testing
import TestSupport

@testable import Conformance

/// Documents that contain generated parts; `RECORD=1` rewrites those parts.
@Suite("The reference of subjects and reports")
struct ReferenceTests {
    @Test("The table of report formats in docs/ci.md matches the formats")
    func reports() throws {
        let path = packageFolder + "/docs/ci.md"
        #expect(try GeneratedParts.differences(of: ConformanceReference.reports, in: path) == [])
    }

    @Test("The table of subjects in docs/own-proxy.md matches what the command line accepts")
    func subjects() throws {
        let path = packageFolder + "/docs/own-proxy.md"
        #expect(try GeneratedParts.differences(of: ConformanceReference.subjects, in: path) == [])
    }

    @Test("The tables of fixtures/drivers/README.md match the drivers and the known proxies")
    func drivers() throws {
        let path = packageFolder + "/fixtures/drivers/README.md"
        #expect(try GeneratedParts.differences(of: ConformanceReference.drivers, in: path) == [])
    }

    @Test("Every driver in fixtures/drivers has a row, and every row a driver")
    func rows() {
        #expect(BundledDrivers.table.map(\.name).sorted() == BundledDrivers.names)
    }

    @Test("The matrix of ci/matrix has every known proxy and every included driver")
    func matrix() throws {
        let script = try String(readingFile: packageFolder + "/ci/matrix")
        let start = try #require(script.firstRange(of: "subjects=(builtin")?.upperBound)
        let listed = script[start...].prefix { $0 != ")" }.split(whereSeparator: \.isWhitespace).map(
            String.init
        )
        let drivers = BundledDrivers.names.map { $0 == "chromium" ? "browser=chromium" : $0 }
        #expect(listed.sorted() == (KnownProxy.all.map(\.name) + drivers).sorted())
    }
}
