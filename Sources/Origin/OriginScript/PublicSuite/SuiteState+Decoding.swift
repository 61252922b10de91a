public import LocatedYAML

extension StateEntry {
    /// Decodes the record of an origin, ignoring unknown members.
    public static func decode(json text: String) throws(YAMLProblems) -> [StateEntry] {
        let node = try YAMLNode.parse(json: text, file: "state")
        let problems = ProblemCollector()
        guard let nodes = node.elements else {
            problems.add(node, expected: "a list")
            try problems.throwIfAny()
            return []
        }
        return nodes.map(StateEntry.init)
    }

    private init(_ node: YAMLNode) {
        self.init(
            requestNumber: node.value(of: "request_num")?.scalarText.flatMap { Int($0) },
            method: node.value(of: "request_method")?.scalarText ?? "",
            requestFields: (node.value(of: "request_headers")?.pairs ?? []).map { pair in
                (pair.key, pair.value.texts.joined(separator: ", "))
            },
            answerFields: (node.value(of: "response_headers")?.elements ?? []).compactMap(Self.answerField)
        )
    }

    private static func answerField(_ node: YAMLNode) -> AnswerField? {
        guard let parts = node.elements, parts.count >= 2, let name = parts[0].scalarText else { return nil }
        return AnswerField(name, parts[1].texts.map(SuiteValue.text))
    }
}

extension YAMLNode {
    /// The scalar's text, or those of the list's elements.
    fileprivate var texts: [String] {
        elements.map { $0.compactMap(\.scalarText) } ?? scalarText.map { [$0] } ?? []
    }
}
