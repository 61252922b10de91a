import LocatedYAML
import Scenarios

/// The kinds of steps below `stack`.
extension StackReading {
    /// Groups of requests, and waiting for operations started earlier.
    var groupKinds: [StepKind] {
        [
            StepKind("chain", "A chain of requests, which run in order.", example: "{requests: [{path: /a}]}")
            {
                self.chain($0, expect: $1).map(StackStep.group)
            },
            StepKind(
                "batch",
                "A batch of requests, which run concurrently and end together.",
                example: "{requests: [{path: /a}]}"
            ) {
                self.batch($0, expect: $1).map(StackStep.group)
            },
            StepKind(
                "finish",
                "Waits for the end of an operation that an earlier step has started.",
                example: "name"
            ) {
                self.finish($0, expect: $1).map(StackStep.finish)
            },
        ]
    }

    /// Downloads and uploads.
    var transferKinds: [StepKind] {
        [
            StepKind("download", "The download of a file.", example: "{path: /a, to: a.bin}") {
                self.download($0, expect: $1).map(StackStep.download)
            },
            StepKind("downloads", "An action on downloads, and their state.", example: "{suspend: all}") {
                self.downloads($0, expect: $1).map(StackStep.downloads)
            },
            StepKind("upload", "An upload of images or files.", example: "{path: /a, items: [{body: a}]}") {
                self.upload($0, expect: $1).map(StackStep.upload)
            },
        ]
    }

    /// Images, slots and image caches.
    var imageKinds: [StepKind] {
        [
            StepKind("image", "The load of an image.", example: "{path: /a.png}") {
                self.image($0, expect: $1).map(StackStep.image)
            },
            StepKind(
                "images",
                "An action on the image caches or the download queue, and their state.",
                example: "{do: clean}"
            ) {
                self.images($0, expect: $1).map(StackStep.images)
            },
            StepKind("slot", "A slot, which shows one image at a time.", example: "{name: a, show: /a.png}") {
                self.slot($0, expect: $1).map(StackStep.slot)
            },
        ]
    }

    /// The pool, files, settings and reachability.
    var otherKinds: [StepKind] {
        [
            StepKind("pool", "The pool of running requests.", example: "{cancel: all}") {
                self.pool($0, expect: $1).map(StackStep.pool)
            },
            StepKind("files", "Files of the stack, such as partial downloads.", example: "{in: parts}") {
                self.files($0, expect: $1).map(StackStep.files)
            },
            StepKind(
                "settings",
                "Settings for operations that start afterwards.",
                example: "{profile: sqFetch}",
                takesExpectation: false
            ) { value, _ in
                StackSettings.reader.read(value, self.problems).map(StackStep.settings)
            },
            StepKind(
                "reachability",
                "The reachability of the network from now on.",
                example: "wifi",
                takesExpectation: false
            ) { value, _ in
                Reader<StackReachability>.choice.read(value, self.problems).map(StackStep.reachability)
            },
        ]
    }
}
