package import LocatedYAML
import OriginScript
package import Scenarios

extension StackReading {
    /// Reads an upload and its expected outcome.
    func upload(_ node: YAMLNode, expect: YAMLNode?) -> UploadStep? {
        guard let map = MapReader<UploadKey>(node, problems) else { return nil }
        let items = map.required(.items, item.list().when({ !$0.isEmpty }, expected: "at least one item"))
        guard let path = map.required(.path, .fetchPath), let items else { return nil }
        var step = UploadStep(uploadRequest(map, path), items, position: node.position)
        map.set(&step.name, .name, .text)
        map.set(&step.mimeType, .mimeType, .text)
        map.set(&step.ratio, .ratio, .number)
        step.timing = timing(map)
        return expecting(expect, step, of: .upload, uploadExpectation)
    }

    private func uploadRequest(_ map: MapReader<UploadKey>, _ path: String) -> FetchStep {
        var request = FetchStep(name: "upload", position: map.position)
        request.path = path
        request.method = "POST"
        request.asksOtherHost = map.optional(.host, Reader.word(of: ["first", "other"])) == "other"
        map.set(&request.base, .base, .requestPath)
        map.set(&request.parameters, .parameters, ParameterValue.constants)
        map.set(&request.fields, .fields, FieldLine.listReader)
        map.set(&request.timeout, .timeout, .duration)
        return request
    }

    /// Reads the expected outcome of an upload.
    func uploadExpectation(_ node: YAMLNode) -> UploadExpectation? {
        guard let map = MapReader<UploadExpectKey>(node, problems) else { return nil }
        var expectation = UploadExpectation()
        expectation.outcome.caller.statuses = map.located(.status, Reader.integer(in: 100...999).oneOrMore())
        expectation.outcome.caller.body = map.located(.body, reading.expectedBody)
        expectation.outcome.caller.errorCodes = map.located(.error, ScenarioReading.errorCodes)
        expectation.outcome.caller.took = map.located(.took, ScenarioReading.seconds)
        expectation.outcome.failure = map.located(.failure, Reader<FetchFailureKind>.choice.map(\.rawValue))
        expectation.outcome.reason = map.located(.reason, .text)
        expectation.failedItems = map.located(.failedItems, ScenarioReading.comparison(of: .number))
        expectation.endsWhole = map.located(.progress, Reader.word(of: ["whole"]).map { _ in true })
        return expectation
    }

    private var item: Reader<UploadStep.Item> {
        Reader { node, problems in
            guard let map = MapReader<UploadItemKey>(node, problems) else { return nil }
            guard (map[.file] == nil) != (map[.body] == nil) else {
                problems.add(
                    at: map.position,
                    found: map[.file] == nil ? "an item without content" : "\"file\" with \"body\"",
                    expected: "one of file, body"
                )
                return nil
            }
            let source: UploadStep.Item.Source? =
                map.optional(.file, .relativePath).map { .file($0) }
                ?? map.optional(.body, ScenarioReading.requestBody).map { .body($0) }
            return source.map { UploadStep.Item($0, fileName: map.optional(.fileName, .text)) }
        }
    }
}

extension UploadExpectation {
    /// Returns the expectations that are not met.
    package func check(
        _ seen: UploadObservation,
        context: ExpectationContext,
        at position: Position
    ) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.list = outcome.check(seen.outcome, context: context, at: position)
        mismatches.check(failedItems, "failed-items", seen.failedItems)
        if let endsWhole {
            let rises = zip(seen.progress, seen.progress.dropFirst()).allSatisfy {
                $0.completed <= $1.completed
            }
            let isWhole = seen.progress.last.map { $0.completed == $0.total } ?? false
            mismatches.require(
                rises && isWhole,
                "progress",
                at: endsWhole.position,
                expected: "increasing to the total",
                seen: Mismatches.list(seen.progress.map { "\($0.completed)" })
            )
        }
        return mismatches.list
    }
}
