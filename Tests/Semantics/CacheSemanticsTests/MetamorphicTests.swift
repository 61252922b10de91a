import CLibrary
import Metamorphic
import Testing

@Suite("Equivalent messages lead to the same decisions, RFC 9110 §5")
struct MetamorphicTests {
    /// Another seed can be given as METAMORPHIC_SEED.
    static let seed = getenv("METAMORPHIC_SEED").flatMap { UInt64(String(cString: $0)) } ?? 9_111

    /// 10,000 in all.
    @Test("10,000 generated cases lead to the same decisions in every equivalent form", arguments: 0..<10)
    func cases(part: UInt64) {
        for number in 0..<1_000 {
            let seed = Self.seed &+ part &* 1_000 &+ UInt64(number)
            let exchange = ExchangeCase(seed: seed)
            let transformation = Transformation.allCases[number % Transformation.allCases.count]
            let plain = EngineVerdict.text(RenderedCase(exchange))
            let other = EngineVerdict.text(RenderedCase(exchange, transformation, seed: seed))
            if other != plain { report(exchange, transformation, seed) }
        }
    }

    /// A way to misparse fields that a transformation must reveal.
    struct Misreading: CustomTestStringConvertible {
        let testDescription: String
        let transformation: Transformation
        let read: @Sendable ([(name: String, value: String)]) -> [(name: String, value: String)]
    }

    static let misreadings = [
        Misreading(testDescription: "names compared as they are", transformation: .nameCase) { lines in
            lines.filter { $0.name.first?.isUppercase == true }
        },
        Misreading(testDescription: "the first three fields read", transformation: .order) { lines in
            Array(lines.prefix(3))
        },
        Misreading(testDescription: "the first line of a field read", transformation: .lines) { lines in
            var names: Set<String> = []
            return lines.filter { names.insert($0.name.lowercased()).inserted }
        },
        Misreading(testDescription: "tabs not taken for whitespace", transformation: .whitespace) { lines in
            lines.filter { !$0.value.contains("\t") }
        },
        Misreading(testDescription: "dates before 2027 read", transformation: .time) { lines in
            lines.filter { $0.name != "Date" && $0.name != "Expires" || $0.value.contains(" 202") }
        },
    ]

    @Test("A cache that misparses fields decides differently in some of the cases", arguments: misreadings)
    func power(misreading: Misreading) {
        let isNoticed = (0..<1_000).contains { number in
            let exchange = ExchangeCase(seed: UInt64(number))
            let other = RenderedCase(exchange, misreading.transformation, seed: UInt64(number))
            return EngineVerdict.text(RenderedCase(exchange).misread(misreading.read))
                != EngineVerdict.text(other.misread(misreading.read))
        }
        #expect(isNoticed)
    }

    /// A generator with the same result for every seed would prove nothing.
    @Test("The generated cases cover every kind of decision")
    func variety() {
        var seen: Set<String> = []
        for seed in 0..<3_000 {
            let words = EngineVerdict.text(RenderedCase(ExchangeCase(seed: UInt64(seed))))
            for line in words.split(separator: "\n") {
                seen.insert(String(line.prefix { $0 != " " && $0 != "," }))
            }
        }
        let kinds = [
            "serve", "validate", "forward", "gateway", "unavailable", "origin", "validated", "stored",
        ]
        for kind in kinds { #expect(seen.contains(kind), "\(kind)") }
    }

    private func report(_ exchange: ExchangeCase, _ transformation: Transformation, _ seed: UInt64) {
        let fails = { (simpler: ExchangeCase) in
            EngineVerdict.text(RenderedCase(simpler))
                != EngineVerdict.text(RenderedCase(simpler, transformation, seed: seed))
        }
        let simplest = exchange.shrunk(fails)
        let other = RenderedCase(simplest, transformation, seed: seed)
        Issue.record(
            """
            \(transformation.rawValue) changes a decision; METAMORPHIC_SEED=\(seed) makes it the first case
            \(simplest)
            said otherwise:
              \(other.first)
              \(other.answer)
              \(other.second)
              \(other.reply)
            decided: \(EngineVerdict.text(RenderedCase(simplest)))
            otherwise: \(EngineVerdict.text(other))
            """
        )
    }
}
