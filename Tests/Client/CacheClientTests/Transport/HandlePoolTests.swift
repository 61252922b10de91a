@testable import CacheClient
import Testing

@Suite("The easy handles of a loop")
struct HandlePoolTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reuses: Bool
        let spare: Int
        let ended: Int
        let isTaken: Bool

        var testDescription: String {
            "\(reuses ? "reused" : "renewed"), \(spare) spare, \(ended) ended: \(isTaken ? "taken" : "not taken")"
        }
    }
    static let rows = [
        Row(reuses: true, spare: 0, ended: 0, isTaken: false),
        Row(reuses: true, spare: 0, ended: 1, isTaken: true),
        Row(reuses: true, spare: 1, ended: 1, isTaken: true),
        Row(reuses: false, spare: 0, ended: 0, isTaken: false),
        Row(reuses: false, spare: 0, ended: 1, isTaken: false),
        Row(reuses: false, spare: 0, ended: 2, isTaken: true),
        Row(reuses: false, spare: 1, ended: 2, isTaken: false),
        Row(reuses: false, spare: 1, ended: 64, isTaken: false),
    ]

    @Test(
        "A handle that has ended carries the next transfer, but is renewed first only if no other can",
        arguments: rows
    )
    func takeEnded(row: Row) throws {
        let core = try #require(LoopCore(connectionsPerHost: 1))
        var pool = HandlePool(reusesHandles: row.reuses)
        for _ in 0..<row.spare { pool.keep(try #require(EasyHandle(core: core, number: 0))) }
        for _ in 0..<row.ended { pool.ended.append(try #require(EasyHandle(core: core, number: 0))) }
        let last = pool.ended.last
        let taken = pool.takeEnded()
        #expect((taken != nil) == row.isTaken)
        if row.isTaken { #expect(taken === last) }
        #expect(pool.ended.count == row.ended - (row.isTaken ? 1 : 0))
    }
}
