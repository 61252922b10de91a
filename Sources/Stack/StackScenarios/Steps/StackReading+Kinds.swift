import LocatedYAML
import Scenarios

/// The kinds of step, below `stack`.
extension StackReading {
    /// Requests in groups, and the end of whatever was begun.
    var groups: [StepKind] {
        [
            StepKind("chain", "Requests one after another.", example: "{requests: [{path: /a}]}") {
                self.chain($0, expect: $1).map(StackStep.chain)
            },
            StepKind("batch", "Requests side by side with one end.", example: "{requests: [{path: /a}]}") {
                self.batch($0, expect: $1).map(StackStep.batch)
            },
            StepKind("finish", "Waits for the end of what an earlier step has begun.", example: "name") {
                self.finish($0, expect: $1).map(StackStep.finish)
            },
        ]
    }

    /// Downloads and uploads.
    var transfers: [StepKind] {
        [
            StepKind("download", "A file that is downloaded.", example: "{path: /a, to: a.bin}") {
                self.download($0, expect: $1).map(StackStep.download)
            },
            StepKind("downloads", "Something done to downloads.", example: "{suspend: all}") {
                self.downloads($0, expect: $1).map(StackStep.downloads)
            },
            StepKind("upload", "Images or files that are sent.", example: "{path: /a, items: [{body: a}]}") {
                self.upload($0, expect: $1).map(StackStep.upload)
            },
        ]
    }

    /// Images, the slots that show them and the caches that hold them.
    var pictures: [StepKind] {
        [
            StepKind("image", "An image that is loaded.", example: "{path: /a.png}") {
                self.image($0, expect: $1).map(StackStep.image)
            },
            StepKind("images", "Something done to the image caches or the queue.", example: "{do: clean}") {
                self.images($0, expect: $1).map(StackStep.images)
            },
            StepKind("slot", "A place that shows one image at a time.", example: "{name: a, show: /a.png}") {
                self.slot($0, expect: $1).map(StackStep.slot)
            },
        ]
    }

    /// What surrounds requests: the pool, files, settings, the network.
    var surroundings: [StepKind] {
        [
            StepKind("pool", "The running requests.", example: "{cancel: all}") {
                self.pool($0, expect: $1).map(StackStep.pool)
            },
            StepKind("files", "Files of the stack.", example: "{in: parts}") {
                self.files($0, expect: $1).map(StackStep.files)
            },
            StepKind(
                "settings",
                "Settings for what begins afterwards.",
                example: "{profile: sqFetch}",
                takesExpectation: false
            ) { value, _ in
                StackSettings.reader.read(value, self.problems).map(StackStep.settings)
            },
            StepKind(
                "reachability",
                "What is known of the network from now on.",
                example: "wifi",
                takesExpectation: false
            ) { value, _ in
                Reader<StackReachability>.choice.read(value, self.problems).map(StackStep.reachability)
            },
        ]
    }
}
