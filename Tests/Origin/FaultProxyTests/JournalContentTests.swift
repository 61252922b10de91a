import HTTPArchive
import MockOrigin
import Testing

@testable import FaultProxy

@Suite("The contents that a proxy's journal keeps")
struct JournalContentTests {
    private func entry(_ number: Int) -> JournalEntry {
        JournalEntry(number: number, name: "", method: "GET", target: "/", startedSeconds: 0, rule: "")
    }

    /// The first bytes of a content that is twice as large as what is kept.
    private var large: KeptContent {
        var content = KeptContent()
        for _ in 0..<4 { content.add([UInt8](repeating: 0xFF, count: 32 << 10)[...]) }
        return content
    }

    @Test("Of one content the first 64 KiB are kept, and its size")
    func one() {
        #expect(large.bytes.count == 65_536)
        #expect(large.count == 131_072)
    }

    @Test("Of all contents 32 MiB are kept, the latest ones; their sizes remain")
    func all() {
        let journal = ProxyJournal()
        let content = large
        for number in 1...600 {
            journal.add(entry(number))
            journal.change(number) { $0.responseContent = content }
        }
        let kept = journal.entries.entries.map { !$0.responseContent.bytes.isEmpty }
        #expect(kept == Array(repeating: false, count: 88) + Array(repeating: true, count: 512))
        #expect(journal.entries.entries.allSatisfy { $0.responseContent.count == 131_072 })
        journal.clear()
        journal.add(entry(601))
        journal.change(601) { $0.responseContent = content }
        #expect(journal.entries.entries.map(\.responseContent.bytes.count) == [65_536])
    }

    @Test("Of all heads 32 MiB are kept, those of the latest exchanges; the others are counted as dropped")
    func heads() {
        let journal = ProxyJournal()
        let head = [UInt8](repeating: 0x61, count: 48 << 10)
        for number in 1...3000 {
            var entry = entry(number)
            entry.requestHead = head
            journal.add(entry)
            journal.change(number) { $0.responseHead = head }
        }
        let (entries, dropped) = journal.entries
        #expect(entries.reduce(0) { $0 + $1.requestHead.count + $1.responseHead.count } <= 32 << 20)
        #expect(entries.count > 300)
        #expect(entries.map(\.number) == Array(dropped + 1...3000))
        #expect(journal.entry(3000)?.responseHead == head)
        journal.clear()
        journal.add(entry(3001))
        #expect(journal.entries.entries.map(\.number) == [3001] && journal.entries.dropped == 0)
    }

    @Test("The last 10,000 exchanges are kept, and the others counted as dropped")
    func exchanges() {
        let journal = ProxyJournal()
        for number in 1...10_001 { journal.add(entry(number)) }
        let (entries, dropped) = journal.entries
        #expect(entries.map(\.number) == Array(2...10_001))
        #expect(dropped == 1)
    }

    @Test(
        "An archive has a content as text or in base64, and says what is missing",
        arguments: [
            (KeptContent(Array("é".utf8)), #""size":2,"mimeType":"","text":"é""#),
            (KeptContent([0xFF]), #""size":1,"mimeType":"","text":"/w==","encoding":"base64""#),
            (
                KeptContent([0x61], count: 3),
                #""size":3,"mimeType":"","text":"a","comment":"The first 1 of 3 bytes.""#
            ),
            (
                KeptContent([], count: 3),
                #""size":3,"mimeType":"","comment":"The journal no longer keeps this content.""#
            ),
        ]
    )
    func archived(_ content: KeptContent, _ expected: String) {
        var entry = entry(1)
        entry.responseContent = content
        let text = HTTPArchive.journal([entry.archived("http://a")]).written()
        #expect(text.contains(#""content":{\#(expected)}"#), "\(text)")
    }
}
