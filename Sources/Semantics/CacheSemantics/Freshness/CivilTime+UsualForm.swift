extension CivilTime {
    /// Parses IMF-fixdate with the usual capitalisation in place; `nil` for anything else.
    init?(usualForm text: String) {
        let read = text.utf8.withContiguousStorageIfAvailable { CivilTime(usualForm: $0) }
        guard let civil = read ?? nil else { return nil }
        self = civil
    }

    private init?(usualForm bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 29, Self.hasUsualMarks(bytes), Self.isDay(Self.word(bytes, 0)),
            let month = Self.month(Self.word(bytes, 8)), let day = Self.number(bytes, 5),
            let century = Self.number(bytes, 12), let year = Self.number(bytes, 14),
            let hour = Self.number(bytes, 17), let minute = Self.number(bytes, 20),
            let second = Self.number(bytes, 23)
        else { return nil }
        self.init(
            year: century * 100 + year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second
        )
        guard isValid else { return nil }
    }

    /// Whether the separators are those of `xxx, xx xxx xxxx xx:xx:xx GMT`.
    private static func hasUsualMarks(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[3] == ASCII.comma && bytes[4] == ASCII.space && bytes[7] == ASCII.space
            && bytes[11] == ASCII.space && bytes[16] == ASCII.space && bytes[19] == ASCII.colon
            && bytes[22] == ASCII.colon && bytes[25] == ASCII.space && word(bytes, 26) == 0x47_4D54
    }

    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
        UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int64? {
        let (tens, ones) = (bytes[start], bytes[start + 1])
        guard ASCII.isDigit(tens), ASCII.isDigit(ones) else { return nil }
        return Int64(tens - ASCII.zero) * 10 + Int64(ones - ASCII.zero)
    }

    // The three letters of each name as one integer, Sunday and January first.
    private static func isDay(_ word: UInt32) -> Bool {
        switch word {
        case 0x53_756E, 0x4D_6F6E, 0x54_7565, 0x57_6564, 0x54_6875, 0x46_7269, 0x53_6174: true
        default: false
        }
    }

    private static func month(_ word: UInt32) -> Int64? {
        switch word {
        case 0x4A_616E: 1
        case 0x46_6562: 2
        case 0x4D_6172: 3
        case 0x41_7072: 4
        case 0x4D_6179: 5
        case 0x4A_756E: 6
        case 0x4A_756C: 7
        case 0x41_7567: 8
        case 0x53_6570: 9
        case 0x4F_6374: 10
        case 0x4E_6F76: 11
        case 0x44_6563: 12
        default: nil
        }
    }
}
