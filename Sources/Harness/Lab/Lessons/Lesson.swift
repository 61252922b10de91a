/// A guided lesson: steps with actions, and what each shows.
package struct Lesson: Sendable {
    /// The name in links, such as `freshness`.
    package let name: String
    /// The title, as the page shows it.
    package let title: String
    /// The lesson's subject, in a few sentences.
    package let summary: String
    /// The sections that it is about, such as `RFC 9111 §4.2`.
    package let sections: [String]
    /// The settings of the origin's responses at the beginning.
    package let resource: LabResource
    /// The steps, never empty.
    package let steps: [Step]

    /// A step of a lesson.
    package struct Step: Sendable {
        /// A sentence that announces the step.
        package let text: String
        /// The actions, in order; never empty.
        package let actions: [LabAction]
        /// The insight after the step.
        package let shows: String
        /// The expectations after the step.
        package let checks: [LessonCheck]
    }
}
