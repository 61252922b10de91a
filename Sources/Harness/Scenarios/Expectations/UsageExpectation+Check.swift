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
        look(for: readable, isThere: true, in: observation, &mismatches)
        look(for: unreadable, isThere: false, in: observation, &mismatches)
        return mismatches.list
    }

    /// All texts to look for.
    package var texts: [String] { (readable?.value ?? []) + (unreadable?.value ?? []) }

    private func look(
        for texts: Located<[String]>?,
        isThere: Bool,
        in observation: UsageObservation,
        _ mismatches: inout Mismatches
    ) {
        guard let texts else { return }
        for text in texts.value {
            mismatches.require(
                observation.readable.contains(text) == isThere,
                isThere ? "usage.readable" : "usage.unreadable",
                at: texts.position,
                expected: isThere ? "\(text) in a file" : "\(text) in no file",
                seen: isThere ? "no file with it" : "a file with it"
            )
        }
    }
}
