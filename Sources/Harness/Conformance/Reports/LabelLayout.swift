/// Where marks and labels of a figure go so that none hides another.
enum LabelLayout {
    /// Moves places apart until neighbours have `gap` between them, or as much as there is room for, and none lies outside
    /// of `room`; the order stays.
    static func spread(_ places: [Double], gap: Double, in room: ClosedRange<Double>) -> [Double] {
        guard places.count > 1 else { return places }
        let gap = min(gap, (room.upperBound - room.lowerBound) / Double(places.count - 1))
        var result = places
        for index in result.indices.dropFirst() {
            result[index] = max(result[index], result[index - 1] + gap)
        }
        var limit = room.upperBound
        for index in result.indices.reversed() {
            result[index] = min(result[index], limit)
            limit = result[index] - gap
        }
        return result
    }

    /// The lane, from 0, of each label with its middle and its width, so that those of a lane do not touch.
    ///
    /// `nil` is a label for which none of `most` lanes has room.
    static func lanes(of labels: [(middle: Double, width: Double)], most: Int) -> [Int?] {
        var ends: [Double] = []
        return labels.map { label in
            let begin = label.middle - label.width / 2
            let free = ends.firstIndex { $0 <= begin }
            guard let lane = free ?? (ends.count < most ? ends.count : nil) else { return nil }
            let end = begin + label.width
            if lane == ends.count { ends.append(end) } else { ends[lane] = end }
            return lane
        }
    }
}
