package import LocatedYAML
package import Scenarios

/// A step that acts on a slot, which shows one image at a time, and checks its state.
package struct SlotStep: Sendable {
    /// An action on a slot.
    package enum Action: Sendable {
        /// No action.
        case none
        /// Shows the image of a URL; `nil` for no URL.
        case show(ImageStep?)
        /// Cancels the current load.
        case cancel
        /// Releases the slot.
        case release
    }
    /// The slot's name.
    package var name: String
    /// The profile; `nil` for the scenario's.
    package var profile: StackProfile?
    /// The action on the slot.
    package var action = Action.none
    /// Whether there is a placeholder.
    package var hasPlaceholder = false
    /// Whether the caller passes a completion.
    package var hasCompletion = true
    /// The content of the slot: the size of an image, `placeholder` or `nothing`.
    package var shows: Located<String>?
    /// Everything the slot has shown, in order.
    package var shown: Located<[String]>?
    /// Whether a load is running.
    package var isBusy: Located<Bool>?
    /// The path that was requested last; empty for none.
    package var url: Located<String>?
    /// The paths whose completions were called, in order.
    package var completions: Located<[String]>?
    /// The error of the last completion.
    package var error: Located<ImageFailure>?

    /// Creates a step without an action.
    package init(name: String) { self.name = name }
}

/// The state of a slot.
package struct SlotObservation: Sendable {
    /// The content of the slot: a size such as `2x1`, `placeholder` or `nothing`.
    package var shows = "nothing"
    /// Everything the slot has shown, in order.
    package var shown: [String] = []
    /// Whether a load is running.
    package var isBusy = false
    /// The path that was requested last.
    package var url = ""
    /// The paths whose completions were called, in order.
    package var completions: [String] = []
    /// The error of the last completion.
    package var failure = ImageFailure.none

    /// Creates an observation of an empty slot.
    package init() {}
}

/// A step that acts on the image caches and the download queue and checks their state.
package struct ImagesStep: Sendable {
    /// An action on the image caches or the queue.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// Removes all images from memory.
        case clearMemory = "clear-memory"
        /// Removes all images from disk.
        case clearDisk = "clear-disk"
        /// Removes files on disk that are too old or exceed the size limit.
        case clean
        /// Holds waiting downloads.
        case hold
        /// Releases held downloads.
        case letGo = "let-go"
        /// Signals memory pressure.
        case pressure
        /// Removes the records of failed URLs.
        case forgetFailures = "forget-failures"
    }
    /// The profile; `nil` for the scenario's.
    package var profile: StackProfile?
    /// The action; `nil` if there is none.
    package var action: Action?
    /// The number of running downloads.
    package var running: Located<NumberExpectation>?
    /// The number of recorded failed URLs.
    package var failed: Located<NumberExpectation>?
    /// The number of files on disk.
    package var files: Located<NumberExpectation>?

    /// Creates a step without an action.
    package init() {}
}

extension ImagesStep {
    /// Returns the expectations that are not met.
    package func check(running: Int, failed: Int, files: Int) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.check(self.running, "running", running)
        mismatches.check(self.failed, "failed", failed)
        mismatches.check(self.files, "files", files)
        return mismatches.list
    }
}

extension SlotStep {
    /// Returns the expectations that are not met.
    package func check(_ seen: SlotObservation) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.check(shows, "shows", seen.shows)
        mismatches.check(url, "url", seen.url)
        mismatches.check(isBusy, "busy", seen.isBusy)
        mismatches.check(error.map { Located($0.value.text, at: $0.position) }, "error", seen.failure.text)
        mismatches.check(shown, "shown", seen.shown)
        mismatches.check(completions, "completions", seen.completions)
        return mismatches.list
    }
}
