package import LocatedYAML

/// The keys of a passed response.
enum PassKey: String, MapKey {
    case status, fields, remove, body, delay, rate, hold, faults, violations
    static let mapName = "\"pass\""
}

/// The only key of an answer that is passed.
enum PassedKey: String, MapKey {
    case pass
    static let mapName = "an answer that is passed"
}

extension Answer {
    /// Returns an answer that passes the request on, with faults.
    package static func passed(_ passing: Passing = Passing(), faults: [Fault] = []) -> Answer {
        var answer = Answer()
        (answer.passing, answer.faults) = (passing, faults)
        return answer
    }

    /// `pass`, a fault or several as text, `{pass: {…}}`, or an answer without an upstream.
    package static var passingReader: Reader<Answer> {
        Reader { node, problems in
            if let text = node.scalarText {
                return text == PassedKey.pass.rawValue ? passed() : faulty(text, at: node.position, problems)
            }
            guard node.value(of: PassedKey.pass.rawValue) != nil else {
                return Answer.reader.read(node, problems)
            }
            return MapReader<PassedKey>(node, problems)?.optional(.pass, changing)
        }
    }

    private static func faulty(_ text: String, at position: Position, _ problems: ProblemCollector) -> Answer?
    {
        do throws(FaultTextProblem) {
            let faults = try Fault.list(text: text)
            return isOfOneRequest(faults, at: position, problems) ? passed(faults: faults) : nil
        } catch {
            problems.add(at: position, found: error.found, expected: "pass, or a fault: \(error.expected)")
            return nil
        }
    }

    /// A map of changes.
    private static var changing: Reader<Answer> {
        Reader { node, problems in
            guard let map = MapReader<PassKey>(node, problems) else { return nil }
            var passing = Passing()
            map.set(&passing.status, .status, .integer(in: 200...999))
            map.set(&passing.fields, .fields, FieldLine.listReader)
            map.set(&passing.removed, .remove, Reader.fieldName.oneOrMore())
            map.set(&passing.body, .body, Reader.text.map { Array($0.utf8) })
            map.set(
                &passing.violations,
                .violations,
                Reader<PassViolation>.choice.oneOrMore().map { Set($0) }
            )
            return passed(passing, faults: faults(map))
        }
    }

    private static func faults(_ map: MapReader<PassKey>) -> [Fault] {
        var faults: [Fault] = []
        if let delay = map.optional(.delay, .duration) {
            faults.append(Fault(.delay(RandomRange(delay)), at: .beforeHead))
        }
        if let place = map.optional(.hold, Reader<HoldPoint>.choice) {
            faults.append(Fault(.stall(.untilReleased), at: place == .head ? .beforeHead : .body))
        }
        if let rate = map.optional(.rate, Reader.size.when({ $0 > 0 }, expected: "a size above 0")) {
            faults.append(Fault(.slow(bytesPerSecond: rate), at: .body))
        }
        guard let listed = map.optional(.faults, Fault.listReader), let node = map[.faults] else {
            return faults
        }
        return isOfOneRequest(listed, at: node.position, map.problems) ? faults + listed : faults
    }

    /// Reports faults that are not of one request.
    private static func isOfOneRequest(
        _ faults: [Fault],
        at position: Position,
        _ problems: ProblemCollector
    ) -> Bool {
        guard let fault = faults.first(where: { $0.event.isOfConnection || $0.path != .any }) else {
            return true
        }
        let found = fault.event.isOfConnection ? "a fault at \(fault.event.rawValue)" : "a fault with a path"
        problems.add(at: position, found: found, expected: "this fault in the server's faults")
        return false
    }
}
