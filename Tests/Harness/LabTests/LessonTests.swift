import CacheSemantics
import JSON
import LocatedYAML
import TestSupport
import Testing

@testable import Lab

@Suite("The lab's lessons", .timeLimit(.minutes(20)), .blocking)
struct LessonTests {
    @Test("Every step of a lesson shows what it claims", arguments: 0..<10)
    func steps(index: Int) async throws {
        let lesson = try Lesson.all()[index]
        let lab = try LabUnderTest()
        #expect(try lab.ask("POST", "/lessons/\(lesson.name)").status == 200)
        for number in 1...lesson.steps.count {
            let answer = try lab.ask("POST", "/lessons/\(lesson.name)/steps/\(number)")
            let value = try YAMLNode.parse(json: answer.text, file: "answer")
            let checks = value.value(of: "checks")?.elements ?? []
            #expect(checks.count == lesson.steps[number - 1].checks.count)
            for check in checks {
                let (expected, found) = (check.value(of: "expected"), check.value(of: "found"))
                #expect(found?.scalarText == expected?.scalarText, "step \(number)")
            }
        }
    }

    @Test("There are ten lessons, each with a name of its own and at least one check of a rule")
    func lessons() throws {
        let lessons = try Lesson.all()
        #expect(lessons.count == 10)
        #expect(Set(lessons.map(\.name)).count == 10)
        for lesson in lessons {
            let rules = lesson.steps.flatMap(\.checks).compactMap { check -> Rule? in
                switch check {
                case .decision(_, _, let rule), .effect(_, _, let rule): rule
                default: nil
                }
            }
            #expect(!rules.isEmpty, "\(lesson.name)")
        }
    }

    @Test("A lesson's checks fail if something else is done in between")
    func deviation() async throws {
        let lab = try LabUnderTest()
        let lesson = try #require(try Lesson.all().first)
        await lab.lab.begin(lesson)
        _ = await lab.lab.perform(lesson.steps[0])
        _ = try await lab.perform("clear ada", "purge")
        let (_, checks) = await lab.lab.perform(lesson.steps[1])
        #expect(checks.first?.holds == false)
        #expect(checks.first?.expected == "ada: served, rfc9111.4.2.fresh")
        #expect(checks.first?.found == "ada: forwarded, rfc9211.2.2.uri-miss")
    }

    @Test("A wrong file of lessons is refused with positions")
    func wrongFile() throws {
        let text = """
            lessons:
              - name: x
                title: X
                summary: X
                sections: RFC 9111
                respond: "etag | Cache-Control"
                steps:
                  - text: X
                    act: get eve
                    shows: X
                    check:
                      - {cache: ada, decides: served, status: 200}
                      - {cache: ada, decides: guessed}
            """
        let problems = try #require(throws: YAMLProblems.self) { try Lesson.decode(text, file: "x") }
        #expect(
            problems.problems.map { "\($0.position): \($0.found)" } == [
                "x:6:14: \"Cache-Control\"", "x:9:14: the browser \"eve\"", "x:12:13: 2 checks",
                "x:13:35: \"guessed\"",
            ]
        )
    }
}
