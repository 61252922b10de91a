import CacheSemantics
import Explanation
package import LocatedYAML

extension Lesson {
    /// Returns the built-in lessons in their order; throws the problems of the file.
    package static func all() throws(YAMLProblems) -> [Lesson] {
        try decode(EmbeddedFiles.lessons_yaml, file: "lessons.yaml")
    }

    /// Decodes a file of lessons.
    static func decode(_ text: String, file: String) throws(YAMLProblems) -> [Lesson] {
        let problems = ProblemCollector()
        let root = try YAMLNode.parse(text, file: file)
        let lessons = MapReader<FileKey>(root, problems)?.required(.lessons, reader.list()) ?? []
        try problems.throwIfAny()
        return lessons
    }

    private enum FileKey: String, MapKey {
        case lessons
        static let mapName = "a file of lessons"
    }
    private enum Key: String, MapKey {
        case name, title, summary, sections, respond, steps
        static let mapName = "a lesson"
    }

    private static var reader: Reader<Lesson> {
        Reader { node, problems in
            guard let map = MapReader<Key>(node, problems) else { return nil }
            return Lesson(
                name: map.required(.name, .text) ?? "",
                title: map.required(.title, .text) ?? "",
                summary: map.required(.summary, .text) ?? "",
                sections: map.required(.sections, Reader.text.oneOrMore()) ?? [],
                resource: map.required(.respond, resource) ?? LabResource(),
                steps: map.required(.steps, Step.reader.oneOrMore()) ?? []
            )
        }
    }

    private static var resource: Reader<LabResource> {
        Reader { node, problems in
            LabProblem.report(node, problems) { text throws(LabProblem) in try LabResource(text) }
        }
    }
}

extension Lesson.Step {
    private enum Key: String, MapKey {
        case text, act, shows, check
        static let mapName = "a step"
    }

    fileprivate static var reader: Reader<Lesson.Step> {
        Reader { node, problems in
            guard let map = MapReader<Key>(node, problems) else { return nil }
            return Lesson.Step(
                text: map.required(.text, .text) ?? "",
                actions: map.required(.act, action.oneOrMore()) ?? [],
                shows: map.required(.shows, .text) ?? "",
                checks: map.required(.check, LessonCheck.reader.oneOrMore()) ?? []
            )
        }
    }

    private static var action: Reader<LabAction> {
        Reader { node, problems in
            LabProblem.report(node, problems) { text throws(LabProblem) in try LabAction(text) }
        }
    }
}

extension LessonCheck {
    private enum Key: String, MapKey {
        case cache, decides, effect, rule, entries, source, status, etag
        case originRequests = "origin-requests"
        static let mapName = "a check"
    }

    /// Reads one check: what is checked is one of its keys, besides `cache` and `rule`.
    fileprivate static var reader: Reader<LessonCheck> {
        Reader { node, problems in
            guard let map = MapReader<Key>(node, problems) else { return nil }
            let subjects = map.keys.filter { $0 != .cache && $0 != .rule }
            let isOfCache = subjects.contains { [.decides, .effect, .entries].contains($0) }
            guard subjects.count == 1, isOfCache == (map[.cache] != nil) else {
                problems.add(at: map.position, found: "\(subjects.count) checks", expected: expectation)
                return nil
            }
            return isOfCache ? ofCache(map) : ofAnswer(map)
        }
    }

    private static let expectation =
        "one of source, status, etag and origin-requests, or cache with one of decides, effect and entries"

    private static func ofAnswer(_ map: MapReader<Key>) -> LessonCheck? {
        map.optional(.source, .choice).map(LessonCheck.source)
            ?? map.optional(.status, .integer(in: 100...599)).map(LessonCheck.status)
            ?? map.optional(.etag, .text).map(LessonCheck.entityTag)
            ?? map.optional(.originRequests, .integer(in: 0...99)).map(LessonCheck.originRequests)
    }

    private static func ofCache(_ map: MapReader<Key>) -> LessonCheck? {
        guard let cache: LabCacheName = map.required(.cache, .choice) else { return nil }
        let rule: Rule? = map.optional(.rule, .choice)
        let effect: LabSettlement.Effect? = map.optional(.effect, .choice)
        return effect.map { .effect(cache, $0.rawValue, rule) }
            ?? map.optional(.decides, .choice).map { .decision(cache, $0, rule) }
            ?? map.optional(.entries, .integer(in: 0...99)).map { .entries(cache, $0) }
    }
}

extension LabProblem {
    /// Parses a scalar; reports what is wrong with it at its position.
    fileprivate static func report<Value>(
        _ node: YAMLNode,
        _ problems: ProblemCollector,
        _ parse: (String) throws(LabProblem) -> Value
    ) -> Value? {
        guard let text = node.scalarText else {
            problems.add(node, expected: "text")
            return nil
        }
        do throws(LabProblem) {
            return try parse(text)
        } catch {
            problems.add(at: node.position, found: error.found, expected: error.expected)
            return nil
        }
    }
}
