import Testing

@testable import Conformance

@Suite("Positions of marks and labels of a figure")
struct FigurePlacingTests {
    @Test(
        "Simultaneous marks are separate, in order and inside the figure",
        arguments: [
            ([10.0, 10, 10], [10.0, 25, 40]),
            ([10.0, 50, 90], [10.0, 50, 90]),
            ([100.0, 100, 100], [70.0, 85, 100]),
            ([0.0, 95, 100], [0.0, 85, 100]),
            ([5.0], [5.0]),
            ([], []),
        ]
    )
    func spread(_ places: [Double], _ expected: [Double]) {
        #expect(LabelLayout.spread(places, gap: 15, in: 0...100) == expected)
    }

    @Test("Without room for the gap, marks share the available space")
    func crowd() {
        let places = LabelLayout.spread(Array(repeating: 0, count: 101), gap: 15, in: 0...100)
        #expect(places.first == 0)
        #expect(places.last == 100)
        #expect(zip(places.dropFirst(), places).allSatisfy { abs($0 - $1 - 1) < 1e-9 })
    }

    @Test("Labels that would touch are in separate lanes, and none is below the last lane")
    func lanes() {
        let labels: [(middle: Double, width: Double)] = [(10, 20), (15, 20), (30, 20), (36, 20), (41, 20)]
        #expect(LabelLayout.lanes(of: labels, most: 3) == [0, 1, 0, 1, 2])
        #expect(LabelLayout.lanes(of: labels, most: 2) == [0, 1, 0, 1, nil])
    }
}
