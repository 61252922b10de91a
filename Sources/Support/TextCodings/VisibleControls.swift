extension StringProtocol {
    /// The text with `\u{1B}` and the like for control characters other than line feeds and tabs, which a terminal would obey.
    package var showingControls: String {
        guard unicodeScalars.contains(where: Self.isHidden) else { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            if Self.isHidden(scalar) {
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
    }
}
