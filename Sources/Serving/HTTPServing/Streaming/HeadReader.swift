import CLibrary
import WireSyntax

/// Parses the head of a request as strictly as RFC 9112 permits; reused for the next request.
///
/// Lines end in CRLF: a bare CR, a bare LF, a continued line or a control character is a malformed request, so that no
/// two recipients on the path can interpret it differently.
struct HeadReader {
    /// The result of parsing.
    enum Outcome: Equatable {
        /// The end of the head has not arrived yet.
        case incomplete
        /// The head is complete and has this number of bytes.
        case complete(Int)
        /// The request is refused.
        case refused(RequestProblem)
    }
    /// The positions of a field line's parts.
    struct Line {
        let name: Range<Int>
        let value: Range<Int>
    }

    private(set) var method = 0..<0
    private(set) var target = 0..<0
    private(set) var lines: [Line] = []
    private(set) var isHTTP11 = true
    private(set) var check = RequestCheck()
    /// Whether `Connection` contains `close`.
    private(set) var wantsClose = false
    private(set) var wantsKeepAlive = false
    /// Whether the client waits for 100 (Continue) before it sends content (RFC 9110 §10.1.1).
    private(set) var expectsContinue = false

    /// Parses a head from its first byte.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, limits: StreamServer.Configuration) -> Outcome {
        guard let head = Self.find(bytes) else {
            return Self.problem(ofIncomplete: bytes, limits).map { .refused($0) } ?? .incomplete
        }
        return read(bytes, head, limits: limits)
    }

    /// Parses the head in the range `head`.
    mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ head: Range<Int>,
        limits: StreamServer.Configuration
    ) -> Outcome {
        let (start, end) = (head.lowerBound, head.upperBound)
        guard end - start <= limits.headLimitBytes else { return .refused(Self.excess(of: bytes, limits)) }
        self.reset()
        if let problem = readLines(bytes, start..<end) { return .refused(problem) }
        if let problem = verdict(limits) { return .refused(problem) }
        return .complete(end)
    }

    /// Returns the problem of a head without an end; `nil` while its end may still arrive.
    static func problem(
        ofIncomplete bytes: UnsafeBufferPointer<UInt8>,
        _ limits: StreamServer.Configuration
    ) -> RequestProblem? {
        if bytes.count > limits.headLimitBytes { return excess(of: bytes, limits) }
        return beginsLikeMethod(bytes) ? nil : .malformedRequestLine
    }

    /// Whether the bytes may be the beginning of a method; a ClientHello of TLS, whose sender waits for a reply, is not.
    private static func beginsLikeMethod(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes[skipEmptyLine(bytes)...].first else { return true }
        return first == 0x0D || Token.isCharacter(first)
    }

    /// Returns the part of a head that is too large: its target, or its fields (RFC 9112 §3).
    private static func excess(of bytes: UnsafeBufferPointer<UInt8>, _ limits: StreamServer.Configuration)
        -> RequestProblem
    {
        let line = bytes[skipEmptyLine(bytes)...].prefix { $0 != 0x0A }
        guard let space = line.firstIndex(of: 0x20) else { return .headTooLarge }
        let target = line[(space + 1)...].prefix { $0 != 0x20 && $0 != 0x0D }
        return target.count > limits.targetLimitBytes ? .targetTooLong : .headTooLarge
    }

    /// Clears the result of the previous head, whose positions are no longer valid.
    private mutating func reset() {
        method = 0..<0
        target = 0..<0
        isHTTP11 = true
        lines.removeAll(keepingCapacity: true)
        check = RequestCheck()
        wantsClose = false
        wantsKeepAlive = false
        expectsContinue = false
    }

    private mutating func readLines(_ bytes: UnsafeBufferPointer<UInt8>, _ head: Range<Int>)
        -> RequestProblem?
    {
        var position = head.lowerBound
        var isFirst = true
        while let line = Self.line(bytes, position..<head.upperBound) {
            position = line.upperBound + 2
            if line.isEmpty { return isFirst ? .malformedRequestLine : nil }
            if isFirst {
                if let problem = readRequestLine(bytes, line) { return problem }
            } else if !readField(bytes, line) {
                return .malformedField
            }
            isFirst = false
        }
        return isFirst ? .malformedRequestLine : .malformedField
    }

    private mutating func readRequestLine(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>)
        -> RequestProblem?
    {
        let text = UnsafeBufferPointer(rebasing: bytes[line])
        guard let space = text.firstIndex(of: 0x20), let last = text.lastIndex(of: 0x20), space < last else {
            return .malformedRequestLine
        }
        let base = line.lowerBound
        method = base..<base + space
        target = base + space + 1..<base + last
        guard !method.isEmpty, bytes[method].allSatisfy(Token.isCharacter), !target.isEmpty,
            bytes[target].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return .malformedRequestLine }
        if !bytes[target].allSatisfy({ $0 < 0x80 }) { return .targetBeyondASCII }
        if bytes[target].contains(0x23) { return .fragmentInTarget }
        // RFC 9112 §3.2.3: the target of CONNECT is not a URL, even if its host is named like a scheme.
        let isAuthority = bytes[method].elementsEqual("CONNECT".utf8)
        if !isAuthority, !Self.hasUsableAuthority(bytes[target]) { return .badAuthority }
        return readVersion(UnsafeBufferPointer(rebasing: text[(last + 1)...]))
    }

    /// Whether an http or https URL has a host and no user information, which is an error (RFC 9110 §4.2.1, §4.2.4).
    private static func hasUsableAuthority(_ target: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // Nearly every target begins with its path.
        guard target.first != UInt8(ascii: "/") else { return true }
        let text = String(decoding: target, as: UTF8.self)
        guard let url = URLParts(text) else {
            return !["http:", "https:"].contains { text.lowercased().hasPrefix($0) }
        }
        return !url.isHTTP || !url.authority.hasPrefix(":") && !url.authority.contains("@")
    }

    private mutating func readVersion(_ text: UnsafeBufferPointer<UInt8>) -> RequestProblem? {
        let isVersion =
            text.count == 8 && text.starts(with: "HTTP/".utf8) && text[6] == 0x2E
            && (0x30...0x39).contains(text[5]) && (0x30...0x39).contains(text[7])
        guard isVersion else { return .malformedRequestLine }
        guard text[5] == 0x31 else { return .unknownVersion }
        // RFC 9110 §2.5: a higher minor version is treated as the highest that is known.
        isHTTP11 = text[7] != 0x30
        return nil
    }

    private mutating func readField(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Bool {
        guard let field = MessageHead.field(bytes[line]) else { return false }
        let name = UnsafeBufferPointer(rebasing: field.name)
        let value = UnsafeBufferPointer(rebasing: field.value)
        check.see(name: name, value: value)
        switch name.count {
        case 6 where RequestCheck.same(name, "expect"):
            if RequestCheck.members(of: value).contains(where: { RequestCheck.same($0, "100-continue") }) {
                expectsContinue = true
            }
        case 10 where RequestCheck.same(name, "connection"): seeConnection(value)
        default: break
        }
        lines.append(Line(name: field.name.indices, value: field.value.indices))
        return true
    }

    private mutating func seeConnection(_ value: UnsafeBufferPointer<UInt8>) {
        for option in RequestCheck.members(of: value) {
            if RequestCheck.same(option, "close") { wantsClose = true }
            if RequestCheck.same(option, "keep-alive") { wantsKeepAlive = true }
        }
    }

    private func verdict(_ limits: StreamServer.Configuration) -> RequestProblem? {
        if target.count > limits.targetLimitBytes { return .targetTooLong }
        // RFC 9112 §6.1: HTTP/1.0 has no transfer codings, so its framing cannot be trusted.
        if check.hasCoding, !isHTTP11 { return .unknownCoding }
        return check.verdict(isHTTP11: isHTTP11, contentLimit: limits.contentLimitBytes)
    }

    /// Returns the range of the next head; `nil` until its end has arrived.
    static func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let start = skipEmptyLine(bytes)
        return end(of: bytes, from: start).map { start..<$0 }
    }

    /// Whether a request that begins with `bytes` is a HEAD request.
    static func isOfHEAD(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[skipEmptyLine(bytes)...].starts(with: "HEAD ".utf8)
    }

    /// Returns the head of a response, with its empty line.
    static func head(of response: [UInt8]) -> [UInt8] {
        response.withUnsafeBufferPointer { bytes in end(of: bytes, from: 0).map { Array(bytes[..<$0]) } ?? []
        }
    }

    /// Skips an empty line before the request line (RFC 9112 §2.2).
    private static func skipEmptyLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.count >= 2 && bytes[0] == 0x0D && bytes[1] == 0x0A ? 2 : 0
    }

    /// Returns the end of the head, with any kind of line ends.
    private static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var position = start
        while position < bytes.count, let found = memchr(base + position, 0x0A, bytes.count - position) {
            let feed = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if feed + 1 < bytes.count, bytes[feed + 1] == 0x0A { return feed + 2 }
            if feed + 2 < bytes.count, bytes[feed + 1] == 0x0D, bytes[feed + 2] == 0x0A { return feed + 3 }
            position = feed + 1
        }
        return nil
    }

    /// Returns the next line without its CRLF; `nil` if it does not end in CRLF.
    private static func line(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        guard let base = bytes.baseAddress, !range.isEmpty,
            let found = memchr(base + range.lowerBound, 0x0A, range.count)
        else { return nil }
        let feed = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        guard feed > range.lowerBound, bytes[feed - 1] == 0x0D else { return nil }
        return range.lowerBound..<feed - 1
    }
}
