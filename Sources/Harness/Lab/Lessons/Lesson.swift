/// A guided lesson: steps with actions, and what each shows.
public struct Lesson: Sendable {
    /// The name in links, such as `freshness`.
    public let name: String
    /// The title.
    public let title: String
    /// What is learned, in a few sentences.
    public let summary: String
    /// The sections that it is about, such as `RFC 9111 §4.2`.
    public let sections: [String]
    /// The settings of the origin's responses at the beginning.
    public let resource: LabResource
    /// The steps, never empty.
    public let steps: [Step]

    /// A step of a lesson.
    public struct Step: Sendable {
        /// What is about to happen.
        public let text: String
        /// The actions, in order; never empty.
        public let actions: [LabAction]
        /// What it shows.
        public let shows: String
        /// What must hold afterwards.
        public let checks: [LessonCheck]
    }
}
