@testable import CacheSemantics
import FuzzInput
import HTTPTypes

/// The lines of the input as each field that the engine reads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let lines = FuzzInput(start, count).lines
    _ = ResponseCacheControl(lines)
    _ = RequestCacheControl(lines)
    _ = StructuredField.dictionary(lines)
    _ = StructuredField.list(lines)
    _ = QualityList(lines)?.text
    lines.forEach(readLine)
    readFields(lines)
    let (line, rest) = FuzzInput(start, count).firstLineAndRest
    readContent(rest.bytes, boundary: line)
    return 0
}

private func readLine(_ line: String) {
    _ = DeltaSeconds(parsing: line.utf8)
    _ = EntityTag(parsing: line)
    if let date = HTTPDate(parsing: line, now: HTTPDate(secondsSinceEpoch: 1_700_000_000)) {
        let again = HTTPDate(parsing: date.text, now: date)
        precondition(again == date, "\(line) was read as \(date.text), which is read as another moment")
    }
    _ = TargetURI.normalized("http://example.com/" + line)
    _ = TargetURI(scheme: "http", authority: "example.com", pathAndQuery: "/a/b?c").resolving(line)
    _ = StoredResponse.origin(of: line)
}

private func readContent(_ content: [UInt8], boundary: String) {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .contentType, value: "multipart/byteranges; boundary=\(boundary)"))
    for part in SeparatedRanges(fields)?.parts(of: content)?.parts ?? [] {
        precondition(part.offset + Int(part.range.count) <= content.count, "\(part) is not in the content")
    }
}

private func readFields(_ lines: [String]) {
    let tags = EntityTag.list(lines)
    for tag in tags { precondition(tag.matchesWeakly(tag), "\(tag) does not match itself") }
    let vary = Vary(lines)
    var fields = HTTPFields()
    for name in [HTTPField.Name.range, .contentRange, .noVarySearch, .acceptLanguage] {
        for line in lines { fields.append(HTTPField(name: name, value: line)) }
    }
    _ = vary.variant(of: fields)
    for range in RangeRequest(fields)?.ranges(ofLength: 1000) ?? [] {
        precondition(range.first <= range.last && range.last < 1000, "\(range) is none of 1000 bytes")
    }
    _ = ContentRange(fields)
    if let search = NoVarySearch(fields) {
        for line in lines { _ = search.canonical(NoVarySearch.parts(of: line).query) }
    }
}
