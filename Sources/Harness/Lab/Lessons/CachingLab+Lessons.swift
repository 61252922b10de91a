extension CachingLab {
    /// Begins a lesson: the caches are empty, the clock stands still, and the origin responds as the lesson demands.
    package func begin(_ lesson: Lesson) async { await reset(lesson.resource, stopsClock: true) }

    /// Performs a step and checks what it shows.
    package func perform(_ step: Lesson.Step) async -> (results: [LabResult], checks: [CheckedLesson]) {
        var results: [LabResult] = []
        for action in step.actions { results.append(await perform(action)) }
        return (results, step.checks.map { $0.checked(results, in: self) })
    }
}
