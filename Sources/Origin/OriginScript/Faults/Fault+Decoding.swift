package import LocatedYAML

extension Fault {
    /// A reader of one fault, as text or as a map.
    package static var reader: Reader<Fault> {
        Reader { node, problems in
            node.pairs == nil ? decodeText(node, problems) : decodeMap(node, problems)
        }
    }

    /// A reader of a fault of an answer or page: one at an event of the response, without a path.
    package static var answerReader: Reader<Fault> {
        Reader { node, problems in
            guard let fault = reader.read(node, problems) else { return nil }
            if !fault.event.isBeforeAnswer, fault.path == .any { return fault }
            problems.add(
                at: node.position,
                found: fault.event.isBeforeAnswer
                    ? "a fault at \(fault.event.rawValue)" : "a fault with a path",
                expected: "a fault of the response without a path; others belong to the scenario or server"
            )
            return nil
        }
    }

    /// A reader of a fault of an answer as text.
    static var failReader: Reader<Fault> {
        Reader { node, problems in
            guard let text = node.scalarText, let fault = try? Fault(text: text), !fault.event.isBeforeAnswer
            else {
                problems.add(node, expected: failShape)
                return nil
            }
            return fault
        }
    }

    private static let failShape = "close@N, reset@N, close@head, reset@head, never, or " + textShape

    /// A reader of one fault or a list.
    package static var listReader: Reader<[Fault]> { reader.oneOrMore() }

    private static func decodeText(_ node: YAMLNode, _ problems: ProblemCollector) -> Fault? {
        guard let text = node.scalarText else {
            problems.add(node, expected: "a fault, as text or as a map")
            return nil
        }
        return report(node.position, problems) { () throws(FaultTextProblem) in try Fault(text: text) }
    }

    private static func decodeMap(_ node: YAMLNode, _ problems: ProblemCollector) -> Fault? {
        guard let map = MapReader<FaultKey>(node, problems) else { return nil }
        let event = map.required(.at, Reader<FaultEvent>.choice)
        let action = map.required(.do, FaultAction.reader)
        guard let event, let action else { return nil }
        var fault = Fault(action, at: event)
        fault.readPoint(map)
        fault.readModifiers(map)
        let read = fault
        return report(node.position, problems) { () throws(FaultTextProblem) in
            try read.check()
            return read
        }
    }

    private mutating func readModifiers(_ map: MapReader<FaultKey>) {
        for key in map.keys where key.isModifier {
            guard let value = map[key], !set(key, value.scalarText ?? "") else { continue }
            map.problems.add(value, expected: key.expected)
        }
    }

    private mutating func readPoint(_ map: MapReader<FaultKey>) {
        if map[.byte] != nil, map[.fraction] != nil {
            map.problems.add(
                at: map.position(of: .fraction),
                found: "\"fraction\" with \"byte\"",
                expected: "only one of them"
            )
        }
        map.set(&point, .byte, Self.byte)
        map.set(&point, .fraction, Self.fraction)
    }

    private static var byte: Reader<Point> {
        Reader(expected: FaultKey.byte.expected) {
            RandomRange($0.text) { Quantity.size($0) }.map { Point.byte($0) }
        }
    }

    private static var fraction: Reader<Point> {
        Reader(expected: FaultKey.fraction.expected) {
            RandomRange($0.text) { share($0) }.map { Point.share($0) }
        }
    }

    fileprivate static func report<Result>(
        _ position: Position,
        _ problems: ProblemCollector,
        _ body: () throws(FaultTextProblem) -> Result
    ) -> Result? {
        do throws(FaultTextProblem) {
            return try body()
        } catch {
            problems.add(at: position, found: error.found, expected: error.expected)
            return nil
        }
    }
}

extension FaultAction {
    /// A reader of an action: a name, or a map of one name to its value.
    static var reader: Reader<FaultAction> {
        Reader { node, problems in
            guard node.pairs != nil else { return decodeText(node, problems) }
            guard let map = MapReader<FaultActionKey>(node, problems) else { return nil }
            let keys = map.keys.filter { $0 != .retryAfter }
            guard keys.count == 1, let key = keys.first, let value = map[key],
                key == .status || map[.retryAfter] == nil
            else {
                problems.add(
                    at: map.position,
                    found: map.keys.map { "\"\($0.rawValue)\"" }.joined(separator: " with "),
                    expected: "one action; \"retry-after\" only with \"status\""
                )
                return nil
            }
            let after = map[.retryAfter]?.scalarText.map { "/" + $0 } ?? ""
            return Fault.report(value.position, problems) { () throws(FaultTextProblem) in
                try FaultAction(name: key.rawValue, value: (value.scalarText ?? "") + after)
            }
        }
    }

    private static func decodeText(_ node: YAMLNode, _ problems: ProblemCollector) -> FaultAction? {
        let parts = (node.scalarText ?? "").split(
            separator: "=",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        return Fault.report(node.position, problems) { () throws(FaultTextProblem) in
            try FaultAction(name: parts[0], value: parts.count > 1 ? String(parts[1]) : nil)
        }
    }
}
