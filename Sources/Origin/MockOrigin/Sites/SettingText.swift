/// Parsers of setting values for which the scenario language has no reader.
enum SettingText {
    /// Parses decimal digits; `nil` outside the range.
    static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text)
        else {
            return nil
        }
        return range.contains(number) ? number : nil
    }
}
