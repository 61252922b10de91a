import LocatedYAML

/// Replaces texts in a scenario, so that it takes seconds of real time for what it does in virtual time.
struct RealTimeReplacement {
    /// Texts and their replacements, the longest texts first.
    private let replacements: [(text: [UInt8], replacement: [UInt8])]

    init(_ replacements: [String: String]) {
        self.replacements = replacements.map { (Array($0.key.utf8), Array($0.value.utf8)) }
            .sorted { $0.0.count > $1.0.count }
    }

    /// Returns the node with every text replaced; keys of maps are kept.
    func applied(to node: YAMLNode) -> YAMLNode {
        switch node.content {
        case .scalar(let scalar):
            let text = applied(to: scalar.text)
            return YAMLNode(.scalar(YAMLScalar(text, isPlain: scalar.isPlain)), at: node.position)
        case .sequence(let nodes):
            return YAMLNode(.sequence(nodes.map(applied)), at: node.position)
        case .mapping(let pairs):
            let replaced = pairs.map { pair in
                YAMLPair(key: pair.key, at: pair.keyPosition, value: applied(to: pair.value))
            }
            return YAMLNode(.mapping(replaced), at: node.position)
        }
    }

    /// Returns the text with every whole word replaced; replacements are not replaced again.
    func applied(to text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let found = replacement(in: bytes, at: index) {
                result += found.replacement
                index += found.text.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func replacement(in bytes: [UInt8], at index: Int) -> (text: [UInt8], replacement: [UInt8])? {
        guard index == 0 || !Self.isWord(bytes[index - 1]) else { return nil }
        return replacements.first { candidate in
            let end = index + candidate.text.count
            return bytes[index...].starts(with: candidate.text)
                && (end == bytes.count || !Self.isWord(bytes[end]))
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 46
    }
}
