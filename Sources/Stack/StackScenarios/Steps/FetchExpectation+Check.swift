package import LocatedYAML
package import Scenarios

extension FetchExpectation {
    /// Returns the expectations that are not met; unless a failure is expected, there must be a response.
    package func check(
        _ seen: FetchObservation,
        context: ExpectationContext,
        at position: Position
    ) -> [Mismatch] {
        var caller = caller
        if expectsFailure, caller.errorCodes == nil, let code = seen.caller.error?.code {
            // No particular code is expected.
            caller.errorCodes = Located([code], at: position)
        }
        var mismatches = Mismatches()
        mismatches.list = caller.check(seen.caller, context: context, at: position)
        checkOutcome(seen, &mismatches)
        return mismatches.list.map { $0.of(seen.name) }
    }

    private func checkOutcome(_ seen: FetchObservation, _ mismatches: inout Mismatches) {
        mismatches.check(value, "value", seen.value, absence: "no value")
        let count = seen.attempts.map(String.init) ?? "none"
        mismatches.check(attempts, "attempts", text: \.text, seen: count) { attempts in
            seen.attempts.map { attempts.holds(for: Double($0)) } ?? false
        }
        mismatches.check(failure, "failure", seen.failure?.rawValue, absence: "no failure")
        let sentence = { (part: String) in "a sentence with \(YAMLNode.quoted(part))" }
        let text = seen.caller.error?.text
        mismatches.check(reason, "reason", text: sentence, seen: text.map(YAMLNode.quoted) ?? "no error") {
            text?.contains($0) == true
        }
    }
}

extension Mismatch {
    /// Returns this mismatch with the name of the request it belongs to.
    func of(_ name: String) -> Mismatch {
        var mismatch = self
        mismatch.subject = "\(name): \(subject)"
        return mismatch
    }
}

extension FetchExpectation {
    static func reader(_ reading: ScenarioReading) -> Reader<FetchExpectation> {
        Reader { node, problems in
            guard let map = MapReader<FetchExpectKey>(node, problems) else { return nil }
            var expectation = FetchExpectation()
            expectation.caller.statuses = map.located(.status, Reader.integer(in: 100...999).oneOrMore())
            expectation.caller.fields = map.optional(.fields, reading.expectedFields) ?? []
            expectation.caller.body = map.located(.body, reading.expectedBody)
            expectation.caller.errorCodes = map.located(.error, ScenarioReading.errorCodes)
            expectation.caller.sources = map.located(
                .source,
                Reader.choice(of: Provenance.ofCaches + [.application]).oneOrMore()
            )
            expectation.caller.took = map.located(.took, ScenarioReading.seconds)
            expectation.value = map.located(.value, Reader.word(of: values))
            expectation.attempts = map.located(.attempts, ScenarioReading.comparison(of: .number))
            expectation.failure = map.located(.failure, Reader<FetchFailureKind>.choice.map(\.rawValue))
            expectation.reason = map.located(.reason, .text)
            return expectation
        }
    }

    private static let values = ["json", "xml", "text", "bytes", "image", "nothing"]
}
