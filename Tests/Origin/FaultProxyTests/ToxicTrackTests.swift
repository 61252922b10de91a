import JSON
import OriginScript
import Testing

@testable import FaultProxy

@Suite("Toxics on the bytes of one direction, Toxiproxy README")
struct ToxicTrackTests {
    private static let draw = FaultDraw(seed: 1, scope: "toxiproxy test", request: "connection#1")

    private func toxic(
        _ type: ToxicType,
        _ attributes: [String: Int],
        toxicity: Double = 1
    ) throws -> Toxic {
        var toxic = try Toxic(["type": .string(type.rawValue)])
        (toxic.attributes, toxic.toxicity) = (attributes, toxicity)
        return toxic
    }

    private func track(_ toxics: Toxic...) -> ToxicTrack {
        var track = ToxicTrack(.downstream, Self.draw)
        #expect(track.use(toxics, at: .zero) == .keeps)
        return track
    }

    /// Sizes and times in milliseconds of what is sent.
    private func sent(_ entries: [ToxicTrack.Entry]) -> [[Int]] {
        entries.compactMap { entry in
            guard case .send(let bytes) = entry.action else { return nil }
            return [
                bytes.count,
                Int(entry.due.components.attoseconds / 1_000_000_000_000_000)
                    + Int(entry.due.components.seconds) * 1000,
            ]
        }
    }

    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

    @Test("Latency delays each piece from its arrival, not from the piece before")
    func latency() throws {
        var track = track(try toxic(.latency, ["latency": 100]))
        #expect(sent(track.take(bytes(10), at: .zero)) == [[10, 100]])
        #expect(sent(track.take(bytes(20), at: .milliseconds(30))) == [[20, 130]])
        #expect(
            track.finish(at: .milliseconds(40), isReset: false) == [
                .init(action: .finish, due: .milliseconds(130))
            ]
        )
    }

    @Test("Jitter varies the latency within its range, and keeps the order")
    func jitter() throws {
        var track = track(try toxic(.latency, ["latency": 100, "jitter": 50]))
        let dues = (0..<200).flatMap { sent(track.take(bytes(1), at: .milliseconds($0 * 200))) }.map { $0[1] }
        let delays = dues.enumerated().map { $1 - $0 * 200 }
        #expect(delays.allSatisfy { (50...150).contains($0) })
        #expect(Set(delays).count > 50)
        let close = (0..<200).flatMap { _ in sent(track.take(bytes(1), at: .seconds(60))) }.map { $0[1] }
        #expect(close == close.sorted())
    }

    @Test("Bandwidth in kilobytes of 1000 bytes limits all pieces together, in tenths of a second")
    func bandwidth() throws {
        var track = track(try toxic(.bandwidth, ["rate": 10]))
        #expect(sent(track.take(bytes(2500), at: .zero)) == [[1000, 100], [1000, 200], [500, 250]])
        #expect(sent(track.take(bytes(100), at: .milliseconds(10))) == [[100, 260]])
        #expect(sent(track.take(bytes(100), at: .seconds(1))) == [[100, 1010]])
    }

    @Test("A bandwidth of zero holds bytes and end, which leave when it is removed or raised")
    func noBandwidth() throws {
        var track = track(try toxic(.bandwidth, ["rate": 0]))
        let entries = track.take(bytes(1), at: .zero) + track.finish(at: .seconds(1), isReset: false)
        #expect(entries.map(\.action) == [.send(bytes(1)[...]), .finish])
        #expect(entries.allSatisfy { $0.due > .seconds(86_400 * 365) })
        #expect(track.use([try toxic(.bandwidth, ["rate": 1000])], at: .seconds(2)) == .flushes)
        #expect(track.use([], at: .seconds(3)) == .flushes)
    }

    @Test("A slicer sends pieces of its size with its delay between them")
    func slicer() throws {
        var track = track(try toxic(.slicer, ["average_size": 4, "delay": 2000]))
        #expect(sent(track.take(bytes(10), at: .zero)) == [[4, 0], [4, 2], [2, 4]])
    }

    @Test("Sizes of slices vary within their range, and no byte is lost")
    func slices() throws {
        var track = track(try toxic(.slicer, ["average_size": 100, "size_variation": 20]))
        let sizes = sent(track.take(bytes(20_000), at: .zero)).map { $0[0] }
        #expect(sizes.reduce(0, +) == 20_000)
        #expect(sizes.dropLast().allSatisfy { (80...120).contains($0) })
        #expect(Set(sizes).count > 10)
    }

    @Test(
        "A limit of data lets exactly its bytes pass and closes",
        arguments: [[[7]], [[3], [4, 9]], [[6], [8]]]
    )
    func limit(_ writes: [[Int]]) throws {
        var track = track(try toxic(.limitData, ["bytes": 7]))
        let entries = writes.flatMap { $0 }.flatMap { track.take(bytes($0), at: .zero) }
        #expect(sent(entries).map { $0[0] }.reduce(0, +) == 7)
        #expect(entries.last == .init(action: .end(.close), due: .zero))
        #expect(track.take(bytes(1), at: .zero).isEmpty)
    }

    @Test("A timeout drops all bytes and closes after its time; 0 never closes")
    func timeout() throws {
        var track = track(try toxic(.timeout, ["timeout": 500]))
        #expect(track.take(bytes(5), at: .milliseconds(100)).isEmpty)
        #expect(track.deadline?.time == .milliseconds(500))
        #expect(track.deadline?.end == .close)
        #expect(self.track(try toxic(.timeout, ["timeout": 0])).deadline == nil)
        #expect(track.finish(at: .milliseconds(200), isReset: false).isEmpty)
        #expect(track.use([], at: .milliseconds(300)) == .ends(.close))
    }

    @Test("A timeout whose toxicity no longer affects the connection closes it, since bytes are missing")
    func spared() throws {
        var track = track(try toxic(.timeout, ["timeout": 500]))
        #expect(track.use([try toxic(.timeout, ["timeout": 500], toxicity: 0)], at: .zero) == .ends(.close))
    }

    @Test("A reset follows the first bytes after its time")
    func reset() throws {
        var track = track(try toxic(.resetPeer, ["timeout": 200]))
        #expect(track.deadline == nil)
        #expect(track.take(bytes(5), at: .milliseconds(100)).isEmpty)
        #expect(track.deadline?.time == .milliseconds(300))
        #expect(track.deadline?.end == .reset)
    }

    @Test(
        "A reset that is removed before the first bytes has no effect; after them, the connection is reset at once"
    )
    func removedReset() throws {
        let toxic = try toxic(.resetPeer, ["timeout": 200])
        var early = track(toxic)
        #expect(early.use([], at: .zero) == .flushes)
        var late = track(toxic)
        #expect(late.take(bytes(5), at: .milliseconds(100)).isEmpty)
        #expect(late.use([try self.toxic(.resetPeer, ["timeout": 900])], at: .milliseconds(150)) == .flushes)
        #expect(late.deadline?.time == .milliseconds(300))
        #expect(late.use([try self.toxic(.resetPeer, [:], toxicity: 0)], at: .milliseconds(160)) == .flushes)
        #expect(late.take(bytes(5), at: .milliseconds(170)).isEmpty)
        #expect(late.use([], at: .milliseconds(200)) == .ends(.reset))
    }

    @Test("A slow close delays only the end")
    func slowClose() throws {
        var track = track(try toxic(.slowClose, ["delay": 700]))
        #expect(sent(track.take(bytes(5), at: .zero)) == [[5, 0]])
        #expect(
            track.finish(at: .milliseconds(1), isReset: false) == [
                .init(action: .finish, due: .milliseconds(701))
            ]
        )
    }

    @Test("Toxics apply one after another")
    func chain() throws {
        var track = track(
            try toxic(.latency, ["latency": 100]),
            try toxic(.bandwidth, ["rate": 1]),
            try toxic(.limitData, ["bytes": 150])
        )
        let entries = track.take(bytes(1000), at: .zero)
        #expect(sent(entries) == [[100, 200], [50, 300]])
    }

    @Test("Toxicity affects its share of the connections, the same ones each time")
    func toxicity() throws {
        func affected() throws -> [Int] {
            try (0..<1000).filter { number in
                let draw = FaultDraw(seed: 5, scope: "toxiproxy test", request: "connection#\(number)")
                var track = ToxicTrack(.downstream, draw)
                _ = track.use([try toxic(.timeout, [:], toxicity: 0.3)], at: .zero)
                return track.take(bytes(1), at: .zero).isEmpty
            }
        }
        let first = try affected()
        #expect((250...350).contains(first.count))
        #expect(try affected() == first)
    }

    @Test(
        "A change of a toxic releases what it delays; an unchanged one goes on; the other direction's has no effect"
    )
    func changes() throws {
        let latency = try toxic(.latency, ["latency": 100])
        var track = track(latency)
        let up = try Toxic(["type": "timeout", "stream": "upstream"])
        #expect(track.use([latency, up], at: .zero) == .keeps)
        #expect(sent(track.take(bytes(1), at: .zero)) == [[1, 100]])
        #expect(track.use([try toxic(.latency, ["latency": 10])], at: .zero) == .flushes)
        #expect(track.use([], at: .zero) == .flushes)
    }

    @Test(
        "Negative and huge attributes neither trap, nor lead to times in the past or without end",
        arguments: ToxicType.allCases,
        [Int.min, -1, Int.max]
    )
    func extremes(_ type: ToxicType, _ value: Int) throws {
        var attributes: [String: Int] = [:]
        for name in type.attributes { attributes[name] = value }
        var track = track(try toxic(type, attributes))
        let entries =
            track.take(bytes(3), at: .seconds(1)) + track.finish(at: .seconds(2), isReset: false)
        let times = entries.map(\.due) + (track.deadline.map { [$0.time] } ?? [])
        // An attribute in milliseconds counts up to 2^40; latency and jitter add up.
        let latest = Duration.seconds(2) + .milliseconds(2 << 40)
        #expect(times.allSatisfy { (.seconds(1)...latest).contains($0) }, "\(times)")
    }
}
