import CLibrary
import HTTPServing
import OriginScript
import TestSupport
import Testing

@testable import MockOrigin

@Suite("Answers whose content is a file", .blocking)
struct FileRepresentationTests {
    private let folder: TestFolder
    private static let now = HTTPTimestamp(seconds: 1_767_225_600)

    init() throws { folder = try TestFolder() }

    private func head(_ fields: [ServedField] = [], _ change: (inout Answer) -> Void) -> ComposedReply.Head {
        reply(fields, change).head
    }

    private func reply(_ fields: [ServedField] = [], _ change: (inout Answer) -> Void) -> ComposedReply {
        let answer = Answer.with { answer in
            answer.body = .file("a.txt")
            change(&answer)
        }
        let request = ServedRequest(method: "GET", target: "/a?name=you", fields: fields)
        let context = AnswerContext(request: request, now: Self.now, startedAt: Self.now)
        return ComposedReply.compose(answer, context, ContentStore(folder: folder.path))
    }

    /// Writes the file, and sets its time of modification.
    private func write(_ text: String, modified seconds: Int) throws -> stat {
        let path = try folder.write("a.txt", text)
        let times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: 5), count: 2)
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        var status = stat()
        #expect(stat(path, &status) == 0)
        return status
    }

    @Test("Its tag consists of size, time of modification and number, and differs where it is coded")
    func tag() throws {
        let status = try write("text", modified: 1_700_000_000)
        let parts = [UInt64(status.st_size), 1_700_000_000, UInt64(status.st_ino)]
        let tag = parts.map { String($0, radix: 16) }.joined(separator: "-")
        #expect(head { $0.entityTag = .file }.fields.combined("ETag") == "\"\(tag)\"")
        let coded = head([ServedField("Accept-Encoding", "gzip")]) {
            ($0.entityTag, $0.gzip) = (.file, .offered)
        }
        #expect(coded.fields.combined("ETag") == "\"\(tag)-gzip\"")
        // Content that is no file has no such tag.
        #expect(head { ($0.body, $0.entityTag) = (.text("x"), .file) }.fields.combined("ETag") == nil)
    }

    @Test(
        "Its date is the time of modification, or now if that is later, RFC 9110 §8.8.2.1",
        arguments: [
            (1_700_000_000, "Tue, 14 Nov 2023 22:13:20 GMT"),
            (1_767_225_600, "Thu, 01 Jan 2026 00:00:00 GMT"),
            (1_767_225_601, "Thu, 01 Jan 2026 00:00:00 GMT"),
        ]
    )
    func date(modified: Int, expected: String) throws {
        _ = try write("text", modified: modified)
        #expect(head { $0.lastModified = .file }.fields.combined("Last-Modified") == expected)
    }

    @Test("A template in a file is filled in, and a file that is no text is no template")
    func template() throws {
        func content(_ reply: ComposedReply) -> String? {
            reply.steps.compactMap { step in
                if case .content(let piece, _, _) = step {
                    piece.bytes().map { String(decoding: $0, as: UTF8.self) }
                } else {
                    nil
                }
            }.first
        }
        _ = try write("hello ${query.name}", modified: 1_700_000_000)
        #expect(content(reply { $0.body = .templateFile("a.txt") }) == "hello you")
        let path = folder.path + "/a.txt"
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        #expect(CLibrary.write(descriptor, [0xFF, 0xFE], 2) == 2)
        close(descriptor)
        #expect(head { $0.body = .templateFile("a.txt") }.status == 500)
        #expect(head { $0.body = .templateFile("none.txt") }.status == 500)
    }
}
