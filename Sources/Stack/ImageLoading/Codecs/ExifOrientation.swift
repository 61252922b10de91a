/// Reads the Exif orientation of a JPEG; tolerates malformed segments.
struct ExifOrientation {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of tag 274, unvalidated; `nil` if there is none.
    var value: Int? {
        var position = 2
        // All relevant segments precede the first scan.
        while let marker = number(at: position, bytes: 2), marker >> 8 == 0xFF, marker != 0xFFDA {
            guard let length = number(at: position + 2, bytes: 2), length >= 2 else { return nil }
            if marker == 0xFFE1, let value = orientation(from: position + 4, to: position + 2 + length) {
                return value
            }
            position += 2 + length
        }
        return nil
    }

    private func orientation(from start: Int, to end: Int) -> Int? {
        let tiff = start + 6
        guard end <= bytes.count, tiff + 8 <= end, bytes[start..<tiff].elementsEqual("Exif\0\0".utf8) else {
            return nil
        }
        let isLittle = bytes[tiff] == UInt8(ascii: "I")
        guard let offset = number(at: tiff + 4, bytes: 4, isLittle: isLittle), offset < end - tiff else {
            return nil
        }
        return orientation(inDirectory: tiff + offset, to: end, isLittle: isLittle)
    }

    private func orientation(inDirectory directory: Int, to end: Int, isLittle: Bool) -> Int? {
        guard let count = number(at: directory, bytes: 2, isLittle: isLittle) else { return nil }
        for entry in 0..<count {
            let place = directory + 2 + 12 * entry
            guard place + 12 <= end else { return nil }
            guard number(at: place, bytes: 2, isLittle: isLittle) == 274 else { continue }
            return number(at: place + 8, bytes: 2, isLittle: isLittle)
        }
        return nil
    }

    private func number(at place: Int, bytes count: Int, isLittle: Bool = false) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        let slice = bytes[place..<place + count]
        let inOrder = isLittle ? Array(slice.reversed()) : Array(slice)
        return inOrder.reduce(0) { $0 << 8 | Int($1) }
    }
}
