import ImageLoading
import Testing

@Suite("Scaling of pixels")
struct ScalingTests {
    private static func gray(_ values: [[UInt8]]) throws -> PixelBuffer {
        let size = PixelSize(width: values[0].count, height: values.count)
        return try #require(
            PixelBuffer(size: size, bytes: values.joined().flatMap { [$0, $0, $0, 255] })
        )
    }

    @Test(
        "A smaller size averages the covered area, and a larger one interpolates",
        arguments: [
            ([[0, 100], [100, 200]], [[100]]),
            ([[0, 10, 20, 30]], [[5, 25]]),
            // Two thirds of a pixel and a third of the next: (30 + 0.5 × 60) / 1.5, (0.5 × 60 + 90) / 1.5.
            ([[30, 60, 90]], [[40, 80]]),
            ([[0], [0], [255], [255]], [[0], [255]]),
            // Centres at -0.25, 0.25, 0.75 and 1.25 of the source.
            ([[0, 100]], [[0, 25, 75, 100]]),
            ([[7]], [[7, 7, 7], [7, 7, 7]]),
            // Averaged in one direction, interpolated in the other.
            ([[0, 100], [100, 200]], [[50], [75], [125], [150]]),
        ] as [([[UInt8]], [[UInt8]])]
    )
    func values(source: [[UInt8]], scaled: [[UInt8]]) throws {
        let size = PixelSize(width: scaled[0].count, height: scaled.count)
        #expect(try Self.gray(source).scaled(to: size) == Self.gray(scaled))
    }

    @Test("The colour of transparent pixels does not appear, and alpha is averaged")
    func transparency() throws {
        let bytes: [UInt8] = [200, 0, 0, 255, 0, 255, 0, 0]
        let source = try #require(PixelBuffer(size: PixelSize(width: 2, height: 1), bytes: bytes))
        let scaled = try #require(source.scaled(to: PixelSize(width: 1, height: 1)))
        #expect(scaled.bytes == [200, 0, 0, 128])
    }

    @Test("A size has at least one pixel in each direction, and one that is too large is refused")
    func limits() throws {
        let source = try Self.gray([[1, 2], [3, 4]])
        #expect(source.scaled(to: PixelSize(width: 0, height: -3))?.size == PixelSize(width: 1, height: 1))
        #expect(source.scaled(to: PixelSize(width: 1 << 31, height: 1 << 31)) == nil)
        #expect(source.scaled(to: source.size) == source)
    }

    @Test("A large image of one colour keeps it at every size", arguments: [1, 7, 99, 100, 101, 333])
    func uniform(width: Int) throws {
        let size = PixelSize(width: 100, height: 100)
        let source = try #require(PixelBuffer(size: size, red: 1, green: 127, blue: 254, alpha: 3))
        let target = PixelSize(width: width, height: 41)
        #expect(
            source.scaled(to: target) == PixelBuffer(size: target, red: 1, green: 127, blue: 254, alpha: 3)
        )
    }

    @Test(
        "A size that is fitted keeps its proportions, and a smaller one is kept",
        arguments: [
            ((400, 300), (200, 200), (200, 150)), ((300, 400), (200, 200), (150, 200)),
            ((100, 50), (200, 200), (100, 50)), ((1000, 1), (10, 10), (10, 1)), ((4, 4), (0, 9), (1, 1)),
        ] as [((Int, Int), (Int, Int), (Int, Int))]
    )
    func fitted(size: (Int, Int), bounds: (Int, Int), fitted: (Int, Int)) {
        let result = PixelSize(width: size.0, height: size.1)
            .fitted(in: PixelSize(width: bounds.0, height: bounds.1))
        #expect(result == PixelSize(width: fitted.0, height: fitted.1))
    }
}
