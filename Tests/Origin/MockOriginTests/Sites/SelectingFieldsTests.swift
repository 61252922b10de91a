import HTTPServing
import Testing

@testable import MockOrigin

@Suite("Fields that select among the responses of an answer")
struct SelectingFieldsTests {
    @Test(
        "Conditions, ranges and accepted codings are found among other fields, however they are spelled",
        arguments: [
            ([], false, false), (["X: 1", "Host: a"], false, false), (["If-None-Match: \"a\""], true, false),
            (["X: 1", "if-MATCH: *", "Y: 2"], true, false), (["IF-RANGE: x"], true, false),
            (["If-X: x"], true, false), (["If-: x"], false, false), (["If: x"], false, false),
            (["Ifs-a: x"], false, false),
            (["Range: bytes=0-1"], true, false), (["rangE: x"], true, false), (["Ranges: x"], false, false),
            (["Rangf: x"], false, false), (["Accept-Encoding: gzip"], false, true),
            (["ACCEPT-encoding:gzip;q=0.5"], false, true), (["Accept-Encoding: br"], false, false),
            (["Accept-Encodinh: gzip"], false, false), (["Accept: gzip"], false, false),
            (["Accept-Encoding: br", "Accept-Encoding: gzip"], true, true),
            (["I", "Range", "A: 1"], false, false), (["If-Unmodified-Since: x", "A: 1"], true, false),
        ] as [([String], Bool, Bool)]
    )
    func found(lines: [String], hasCondition: Bool, allowsGzip: Bool) {
        let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
        var forms = [bytes.withUnsafeBufferPointer { SelectingFields($0) }]
        if lines.allSatisfy({ $0.contains(":") }) {
            forms.append(
                SelectingFields(
                    lines.map { line in
                        let parts = line.split(separator: ":", maxSplits: 1).map { String($0.trimmed) }
                        return ServedField(parts[0], parts[1])
                    }
                )
            )
        }
        for form in forms {
            #expect(form.hasCondition == hasCondition)
            #expect(form.allowsGzip == allowsGzip)
        }
    }
}
