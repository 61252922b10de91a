import FuzzInput
import HTTPServing
import OriginScript

@testable import FaultProxy
@testable import MockOrigin

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
    checkDestination(request)
    return request.framing
}

/// A server that a forward proxy connects to has a name and a port, and gets a request in origin form with one Host.
private func checkDestination(_ request: ProxiedRequestHead) {
    guard let destination = try? RequestDestination(request) else { return }
    let server = destination.server
    precondition(!server.host.isEmpty && server.port > 0, "\(request.target) names no server")
    guard let target = destination.target else { return }
    precondition(target.hasPrefix("/") || target == "*", "\(target) is not in origin form")
    var head = request.raw
    head.readdress(to: server, target: target)
    precondition(head.values("Host") == [server.authority], "\(head.values("Host")) is not the authority")
    precondition(head.values("Proxy-Authorization").isEmpty, "credentials for the proxy are passed on")
}

private func responseFraming(_ head: HeadBytes) -> ContentFraming? {
    guard let response = ResponseHead(head) else { return nil }
    var passing = Passing()
    (passing.status, passing.removed, passing.body) = (200, ["Age"], [65])
    passing.fields = [.init("ETag", .text("\"a\""))]
    passing.violations = Set(PassViolation.allCases)
    let context = FieldContext(base: "", other: "", now: .seconds(1_700_000_000), start: .zero)
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
    _ = track.takeSteps()
}
