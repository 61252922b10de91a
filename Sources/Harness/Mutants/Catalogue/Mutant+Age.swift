import CacheSemantics
import HTTPTypes

extension Mutant {
    /// The age (RFC 9111 §4.2.3, §5.1).
    static let ofAge: [Mutant] = [
        Mutant(
            "age-not-added",
            "The received Age is not added to the age",
            [.ageCorrected, .ageLarger],
            EngineDefect.fields(at: [.planning]) { fields, _ in fields[.age] = nil }
        ),
        Mutant(
            "apparent-age-ignored",
            "Date is ignored in the age calculation",
            [.ageApparent, .ageLarger],
            EngineDefect.fields(at: [.planning]) { fields, head in
                guard let date = head.date(.date) else { return }
                // The lifetime that Expires gives must not change.
                if let expires = head.date(.expires) {
                    fields[.expires] = expires.advanced(by: head.received.seconds(since: date)).text
                }
                fields[.date] = head.received.text
            }
        ),
        Mutant(
            "ages-added-up",
            "Apparent age and corrected age value are added instead of taking the larger",
            [.ageLarger],
            EngineDefect.fields(at: [.planning]) { fields, head in
                guard let date = head.date(.date), let age = fields[.age].flatMap({ Int64($0) }) else {
                    return
                }
                fields[.age] = String(age + max(0, head.received.seconds(since: date)))
            }
        ),
        Mutant(
            "resident-time-ignored",
            "The resident time is not added to the age",
            [.ageResident],
            now { question in
                let times = question.stored.map(\.responseTime)
                return times.max() ?? question.now
            }
        ),
        Mutant(
            "response-delay-ignored",
            "The response delay is not added to the age",
            [.ageCorrected],
            EngineDefect.stored(at: [.planning]) { stored, _ in
                stored.with(\.requestTime, stored.responseTime)
            }
        ),
        Mutant(
            "negative-age",
            "A Date in the future reduces the age",
            [.ageApparent],
            now { question in
                let ahead = question.stored.map { $0.date.seconds(since: $0.responseTime) }.max() ?? 0
                let resident = question.stored.map { question.now.seconds(since: $0.responseTime) }.min() ?? 0
                return question.now.advanced(by: -min(max(0, ahead), max(0, resident)))
            }
        ),
        Mutant(
            "last-age-counts",
            "The last of several Age values is used",
            [.ageFirstValue],
            EngineDefect.fields(at: [.planning]) { fields, _ in
                fields[.age] = ListField.members(of: fields[values: .age]).last
            }
        ),
        Mutant(
            "invalid-age-is-old",
            "An invalid Age makes a response stale",
            [.ageInvalid],
            EngineDefect.fields(at: [.planning]) { fields, _ in
                guard let age = fields[.age], Int64(age) == nil || age.hasPrefix("-") else { return }
                fields[.age] = "2147483648"
            }
        ),
    ]

    private static func now(_ now: @escaping @Sendable (Question) -> HTTPDate) -> EngineDefect {
        var defect = EngineDefect()
        defect.now = now
        return defect
    }
}
