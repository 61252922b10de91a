import FuzzInput
import HTTPServing
import OriginScript

@testable import FaultProxy

/// The first line is faults, the rest the bytes of a connection, as the proxy reads heads and content in them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (line, rest) = FuzzInput(start, count).firstLineAndRest
    let faults = (try? Fault.list(text: line)) ?? []
    for isRequest in [true, false] {
        var position = 0
        while let end = HeadBytes.end(in: rest.bytes, from: position) {
            precondition(end > position && end <= rest.bytes.count, "a head of \(position)..<\(end)")
            let head = HeadBytes(Array(rest.bytes[position..<end]))
            check(head)
            guard let framing = isRequest ? requestFraming(head) : responseFraming(head) else { break }
            let content = rest.bytes[end...]
            position = end + scan(content, ContentScanner(framing))
            track(Array(content), faults)
        }
    }
    return 0
}

private func requestFraming(_ head: HeadBytes) -> ContentFraming? {
    guard let request = ProxiedRequestHead(head) else { return nil }
    _ = request.path
    return request.framing
}

private func responseFraming(_ head: HeadBytes) -> ContentFraming? {
    guard let response = ResponseHead(head) else { return nil }
    let passing = Passing(
        status: 200,
        fields: [.init("ETag", .text("\"a\""))],
        removed: ["Age"],
        body: [65],
        violations: Set(PassViolation.allCases)
    )
    let context = FieldContext(base: "", other: "", now: 1_700_000_000, start: 0)
    let changed = PassedHead(passing: passing, context: context).changed(response) { $0 }
    precondition(changed.values("Content-Length") == ["1"], "the length of the replaced content is lost")
    return response.framing(for: "GET")
}

/// What was set is there, alone, and what was removed is not.
private func check(_ head: HeadBytes) {
    var changed = head
    changed.set("Age", "7")
    precondition(changed.values("age") == ["7"], "\(changed.values("age")) was set")
    changed.remove("AGE")
    precondition(changed.values("Age").isEmpty, "a removed field is there")
    changed.add("Age", "8")
    precondition(changed.values("Age") == ["8"], "\(changed.values("Age")) was added")
    changed.setStart("HTTP/1.1 200 OK")
    precondition(changed.startWords == ["HTTP/1.1", "200", "OK"], "\(changed.startWords) was set")
}

/// Returns how many bytes the content has.
private func scan(_ content: ArraySlice<UInt8>, _ scanner: ContentScanner) -> Int {
    var (scanner, rest) = (scanner, content)
    while let step = scanner.next(rest) {
        precondition(step.count >= 0 && step.count <= rest.count, "\(step.count) of \(rest.count) bytes")
        precondition(step.count > 0 || scanner.isComplete || scanner.endsWithConnection, "no progress")
        rest = rest.dropFirst(step.count)
    }
    return content.count - rest.count
}

private func track(_ content: [UInt8], _ faults: [Fault]) {
    var track = FaultTrack(faults)
    for event in [FaultEvent.beforeHead, .head, .body] {
        track.enter(event, total: event == .beforeHead ? nil : content.count)
        track.take(content.indices, of: content)
    }
    track.finish()
    for case .pass(let range) in track.takeEffects() {
        precondition(content.indices.contains(range), "\(range) is not of the content")
    }
}

extension Range<Int> {
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
