/// Positions of marks and labels of a figure, so that none hides another.
enum LabelLayout {
    /// Moves positions apart until neighbours have a distance of `gap`, or as much as fits, and all lie in `room`;
    /// keeps their order.
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

    /// Returns the lane of each label, from 0, so that labels in one lane do not touch.
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
