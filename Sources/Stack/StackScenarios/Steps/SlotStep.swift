public import LocatedYAML
public import Scenarios

/// Something done to a slot, a place that shows one image at a time, and what it must then show.
public struct SlotStep: Sendable {
    /// What is done.
    public enum Action: Sendable {
        /// Nothing.
        case none
        /// The image of a URL is to be shown; `nil` for no URL.
        case show(ImageStep?)
        /// The current load ends without result.
        case cancel
        /// The slot is let go.
        case release
    }
    /// The slot's name.
    public var name: String
    /// The profile; `nil` is the scenario's.
    public var profile: StackProfile?
    /// What is done.
    public var action = Action.none
    /// Whether there is a placeholder.
    public var hasPlaceholder = false
    /// Whether the caller gives a completion.
    public var hasCompletion = true
    /// What it shows: an image of a size; else `placeholder` or `nothing`.
    public var shows: Located<String>?
    /// All that it has shown, in order.
    public var shown: Located<[String]>?
    /// Whether it loads.
    public var isBusy: Located<Bool>?
    /// The path it was asked for last; an empty text for none.
    public var url: Located<String>?
    /// The paths whose completions were called, in order.
    public var completions: Located<[String]>?
    /// The error of the last completion.
    public var error: Located<ImageFailure>?

    /// Creates a step that does nothing.
    public init(name: String) { self.name = name }
}

/// What a slot shows and has shown.
public struct SlotObservation: Sendable {
    /// What it shows: `2x1`, `placeholder` or `nothing`.
    public var shows = "nothing"
    /// All that it has shown, in order.
    public var shown: [String] = []
    /// Whether it loads.
    public var isBusy = false
    /// The path it was asked for last.
    public var url = ""
    /// The paths whose completions were called, in order.
    public var completions: [String] = []
    /// The error of the last completion.
    public var failure = ImageFailure.none

    /// Creates an observation of an empty slot.
    public init() {}
}

/// Something done to the image caches and the queue of downloads, and what must then be known of them.
public struct ImagesStep: Sendable {
    /// What is done.
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// Memory is emptied.
        case clearMemory = "clear-memory"
        /// The disk is emptied.
        case clearDisk = "clear-disk"
        /// The disk is cleaned of what is too old or too much.
        case clean
        /// Waiting downloads are held back.
        case hold
        /// They are held back no longer.
        case letGo = "let-go"
        /// Memory is needed elsewhere.
        case pressure
        /// The URLs that failed are forgotten.
        case forgetFailures = "forget-failures"
    }
    /// The profile; `nil` is the scenario's.
    public var profile: StackProfile?
    /// What is done; `nil` for nothing.
    public var action: Action?
    /// How many downloads run.
    public var running: Located<NumberExpectation>?
    /// How many URLs are known to have failed.
    public var failed: Located<NumberExpectation>?
    /// How many files there are on disk.
    public var files: Located<NumberExpectation>?

    /// Creates a step that does nothing.
    public init() {}
}

extension ImagesStep {
    /// Returns what of this does not hold.
    public func check(running: Int, failed: Int, files: Int) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.check(self.running, "running", running)
        mismatches.check(self.failed, "failed", failed)
        mismatches.check(self.files, "files", files)
        return mismatches.list
    }
}

extension SlotStep {
    /// Returns what of this does not hold.
    public func check(_ seen: SlotObservation) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.check(shows, "shows", seen.shows)
        mismatches.check(url, "url", seen.url)
        mismatches.check(isBusy, "busy", seen.isBusy)
        mismatches.check(
            error.map { Located($0.value.text, at: $0.position) },
            "error",
            seen.failure.text
        )
        mismatches.check(shown, "shown", seen.shown)
        mismatches.check(completions, "completions", seen.completions)
        return mismatches.list
    }
}
