extension PixelBuffer {
    /// Returns the pixels at another size, of at least one pixel in each direction; `nil` if that is too large for a buffer.
    ///
    /// A smaller size averages the area that each new pixel covers, and a larger one interpolates linearly. Colours count by
    /// their alpha, so that transparent pixels do not tint their neighbours. To keep the proportions, pass `size.fitted(in:)`.
    public func scaled(to newSize: PixelSize) -> PixelBuffer? {
        guard newSize != size else { return self }
        let target = PixelSize(width: max(1, newSize.width), height: max(1, newSize.height))
        guard target.count <= 1 << 30 else { return nil }
        let rows = ScalingAxis(from: size.height, to: target.height)
        var scaler = RowScaler(width: size.width, columns: ScalingAxis(from: size.width, to: target.width))
        return PixelBuffer(size: target) { scaled in
            withBytes { source in
                for (number, row) in rows.parts.enumerated() {
                    let start = 4 * target.width * number
                    scaler.combine(row, of: source)
                    scaler.write(to: .init(rebasing: scaled[start..<start + 4 * target.width]))
                }
            }
        }
    }
}

extension PixelSize {
    /// Returns the largest size with the same proportions within another, of at least one pixel in each direction; the
    /// size itself if it is smaller.
    public func fitted(in bounds: PixelSize) -> PixelSize {
        guard width > bounds.width || height > bounds.height else { return self }
        let factor = min(Double(bounds.width) / Double(width), Double(bounds.height) / Double(height))
        return PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))
        )
    }
}

/// The weights by which the pixels of one direction are made from others.
private struct ScalingAxis {
    /// The pixels that one is made of, from `start`, with their weights, whose sum is 1.
    struct Part {
        var start: Int
        var weights: [Float]
    }
    let parts: [Part]

    init(from count: Int, to newCount: Int) {
        let factor = Double(count) / Double(newCount)
        parts = (0..<newCount).map { number in
            newCount < count
                ? Self.average(of: Double(number) * factor..<Double(number + 1) * factor, count)
                : Self.interpolation(at: (Double(number) + 0.5) * factor - 0.5, count)
        }
    }

    private static func average(of range: Range<Double>, _ count: Int) -> Part {
        let start = min(Int(range.lowerBound), count - 1)
        let end = min(max(start + 1, Int(range.upperBound.rounded(.up))), count)
        let shares = (start..<end).map { pixel in
            max(0, min(range.upperBound, Double(pixel + 1)) - max(range.lowerBound, Double(pixel)))
        }
        let sum = shares.reduce(0, +)
        return Part(start: start, weights: shares.map { Float($0 / sum) })
    }

    private static func interpolation(at place: Double, _ count: Int) -> Part {
        let place = min(max(place, 0), Double(count - 1))
        let start = Int(place)
        let share = Float(place - Double(start))
        return Part(start: start, weights: share == 0 ? [1] : [1 - share, share])
    }
}

/// Computes the rows of a scaled image, one at a time.
private struct RowScaler {
    private let columns: ScalingAxis
    /// A row in the new height and the old width: red, green and blue times alpha, and alpha.
    private var row: [Float]

    init(width: Int, columns: ScalingAxis) {
        self.columns = columns
        row = Array(repeating: 0, count: 4 * width)
    }

    /// Combines rows of the source.
    mutating func combine(_ part: ScalingAxis.Part, of source: UnsafeRawBufferPointer) {
        row.withUnsafeMutableBufferPointer { row in
            row.update(repeating: 0)
            for (number, weight) in part.weights.enumerated() {
                let start = (part.start + number) * row.count
                for pixel in stride(from: 0, to: row.count, by: 4) {
                    let alpha = weight * Float(source[start + pixel + 3])
                    for channel in 0..<3 {
                        row[pixel + channel] += alpha * Float(source[start + pixel + channel])
                    }
                    row[pixel + 3] += alpha
                }
            }
        }
    }

    /// Writes the combined row in the new width.
    func write(to scaled: UnsafeMutableRawBufferPointer) {
        row.withUnsafeBufferPointer { row in
            for (number, part) in columns.parts.enumerated() {
                var sum = SIMD4<Float>(repeating: 0)
                for (index, weight) in part.weights.enumerated() {
                    let pixel = 4 * (part.start + index)
                    sum += weight * SIMD4(row[pixel], row[pixel + 1], row[pixel + 2], row[pixel + 3])
                }
                if sum.w > 0 { sum = SIMD4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w) }
                for channel in 0..<4 {
                    scaled[4 * number + channel] = UInt8(min(max(sum[channel].rounded(), 0), 255))
                }
            }
        }
    }
}
