import LocatedYAML

/// An observation of a store's contents.
package struct UsageObservation: Sendable, Hashable {
    /// Bytes in memory.
    package var memory: Int
    /// Bytes on disk.
    package var disk: Int
    /// Body files in the cache folder.
    package var files: Int
    /// Entries in either tier.
    package var entries: Int
    /// Database steps since this was last requested, or since the client was created.
    package var databaseSteps = 0
    /// Those of the requested texts that occur in a file of the folder.
    package var readable: [String] = []

    /// Creates an observation.
    package init(memory: Int, disk: Int, files: Int, entries: Int) {
        self.memory = memory
        self.disk = disk
        self.files = files
        self.entries = entries
    }
}

extension UsageExpectation {
    /// Returns the expectations that do not hold; empty if all hold.
    package func check(_ observation: UsageObservation) -> [Mismatch] {
        var mismatches = Mismatches()
        let pairs = [
            ("memory", memory, observation.memory), ("disk", disk, observation.disk),
            ("files", files, observation.files), ("entries", entries, observation.entries),
            ("database-steps", databaseSteps, observation.databaseSteps),
        ]
        for (name, expected, seen) in pairs {
            mismatches.check(expected, "usage.\(name)", seen)
        }
        mismatches.check(observation.readable, contains: readable, true, "usage.readable")
        mismatches.check(observation.readable, contains: unreadable, false, "usage.unreadable")
        return mismatches.list
    }

    /// All texts to look for.
    package var texts: [String] { (readable?.value ?? []) + (unreadable?.value ?? []) }

}

extension Mismatches {
    /// Checks that each of the texts is among the readable ones, or that none is.
    fileprivate mutating func check(
        _ readable: [String],
        contains texts: Located<[String]>?,
        _ isWanted: Bool,
        _ subject: String
    ) {
        guard let texts else { return }
        let position = texts.position
        for text in texts.value where readable.contains(text) != isWanted {
            let (expected, seen) = isWanted ? ("a file", "no file") : ("no file", "a file")
            require(false, subject, at: position, expected: "\(text) in \(expected)", seen: "\(seen) with it")
        }
    }
}
