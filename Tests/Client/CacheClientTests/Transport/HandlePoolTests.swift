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

    @Test("Each handle has a number that no other has at the time, as small as possible")
    func numbers() throws {
        let core = try #require(LoopCore(connectionsPerHost: 1))
        var pool = HandlePool(reusesHandles: true)
        let make = { EasyHandle(core: core, number: $0) }
        let none = pool.take { _ in nil }
        #expect(none == nil)
        let handles = (0..<3).compactMap { _ in pool.take(make) }
        #expect(handles.map(\.number) == [0, 1, 2])
        #expect(pool.anyActive == nil)
        handles[1].isActive = true
        #expect(pool.anyActive === handles[1])
        pool.drop(handles[1])
        #expect(pool.anyActive == nil)
        _ = pool.take { _ in nil }
        let next = [pool.take(make), pool.take(make)]
        #expect(next.map { $0?.number } == [1, 3])
        pool.keep(handles[0])
        let spare = pool.take(make)
        #expect(spare === handles[0])
        pool.keep(handles[0])
        pool.removeSpare()
        let again = pool.take(make)
        #expect(again?.number == 0)
        #expect(again !== handles[0])
    }

    @Test("A limited number of handles is kept")
    func spare() throws {
        let core = try #require(LoopCore(connectionsPerHost: 1))
        let easy = try #require(EasyHandle(core: core, number: 0))
        var pool = HandlePool(reusesHandles: true)
        var count = 0
        while pool.hasRoom, count < 1000 {
            pool.keep(easy)
            count += 1
        }
        #expect(count > 0 && count < 1000)
    }
}
