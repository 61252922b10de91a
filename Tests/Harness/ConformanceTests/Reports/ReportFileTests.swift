import Conformance
import TestSupport
import Testing

@Suite("The files of reports")
struct ReportFileTests {
    private let folder: TestFolder
    private var path: String { folder.path + "/report" }

    init() throws { folder = try TestFolder(["report": "old"]) }

    @Test(
        "An earlier report stays until the run ends, in formats that arise during the run, too",
        arguments: ReportKind.allCases
    )
    func replaced(kind: ReportKind) throws {
        let file = try ReportFile(kind, path: path)
        for event in SampleRun.events.dropLast() {
            try file.write(event)
            #expect(folder.read("report").map { String(decoding: $0, as: UTF8.self) } == "old")
        }
        try file.write(try #require(SampleRun.events.last))
        var reporter = kind.reporter()
        let text = SampleRun.events.map { reporter.text(for: $0) }.joined()
        #expect(folder.read("report").map { String(decoding: $0, as: UTF8.self) } == text)
        #expect(folder.names == ["report"])
    }

    @Test("Of a run without end the earlier report remains, and of a log what was written")
    func unfinished() throws {
        do {
            let file = try ReportFile(.json, path: path)
            try file.write(SampleRun.events[0])
        }
        #expect(folder.names == ["report"])
        #expect(folder.read("report").map { String(decoding: $0, as: UTF8.self) } == "old")
        let log = try ReportFile(log: ReportKind.json.reporter(), path: path)
        try log.write(SampleRun.events[0])
        #expect(folder.read("report")?.first == UInt8(ascii: "{"))
    }

    @Test("A file that cannot be written is an error before the run")
    func unwritable() {
        for path in [folder.path, folder.path + "/none/report"] {
            let error = #expect(throws: ReportError.self) {
                try ReportFile(.html, path: path)
            }
            #expect(error?.description.hasPrefix("The report \(path) cannot be written: ") == true)
        }
    }
}
