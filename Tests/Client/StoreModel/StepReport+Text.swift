extension StepReport: CustomStringConvertible {
    /// The report as one line of text.
    package var description: String {
        let found = found.map { "\($0.resource):\($0.version):\($0.isInvalidated ? 1 : 0)" }
        return "\(isDone ? 1 : 0) \(begun) \(version) " + found.joined(separator: ",")
    }

    /// Parses a report from its text.
    package init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, let begun = Int(words[1]), let version = Int(words[2]) else { return nil }
        self.init()
        isDone = words[0] == "1"
        (self.begun, self.version) = (begun, version)
        for part in words[3].split(separator: ",") {
            let numbers = part.split(separator: ":").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            found.append(Found(resource: numbers[0], version: numbers[1], isInvalidated: numbers[2] == 1))
        }
    }
}
