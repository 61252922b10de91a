import CacheSemantics

/// The memory tier: entries by key, in order of their last use, with the sum of their sizes.
///
/// A value without I/O or clock; its owner evicts. Every change withdraws the affected answers that are ready for hits
/// without the owner's lock. Keys are found by a 64-bit digest and then compared; a second key with the same digest
/// replaces the first.
struct MemoryTier: Sendable {
    /// One stored entry in the order of use.
    struct Node: Sendable {
        var digest: UInt64
        var variant: VariantKey
        var size: Int
        /// Its slot in the disk tier; meaningful only if `diskSerial` is not zero.
        var diskSlot = 0
        /// The serial number of its copy on disk; zero if there is none.
        var diskSerial: UInt64 = 0
        /// The time of its last use, counted in uses; for a node with a copy on disk the record's value counts.
        var used: Int64 = 0
    }

    /// All entries of one key, ready to be returned.
    struct Group: Sendable {
        var key: CacheKey
        var digest: UInt64
        /// Whether the target URI is in its normal form.
        let isNormalized: Bool
        var entries: [LocatedEntry] = []
        var nodes: [Int] = []
        /// The table by which requests select its entries; `nil` unless there are several.
        var table: VariantTable?
        /// Whether the disk tier has no other variant of the key.
        var isComplete = false
        /// The labels by which its entries are found besides the key; usually empty.
        var labels: Set<UInt64> = []

        /// Creates an empty group; `labels` are those of its first entry.
        init(key: CacheKey = CacheKey(targetURI: ""), digest: UInt64 = 0, labels: [UInt64] = []) {
            self.key = key
            self.digest = digest
            // An entry whose target URI is not normalized is labelled with its normal form.
            isNormalized = labels.isEmpty || key.normalizedTargetURI == key.targetURI
        }

        /// Whether it has entries and its target URI starts with `prefix`, as stored or normalized.
        fileprivate func begins(with prefix: UnsafeBufferPointer<UInt8>) -> Bool {
            guard !nodes.isEmpty else { return false }
            return isNormalized ? key.targetURI.begins(with: prefix) : key.begins(with: prefix)
        }
    }

    /// The answers that are ready to be returned without the owner's lock.
    let ready: ReadyAnswers
    let labelling: Labelling
    /// Bytes in use.
    private(set) var usage = 0
    /// The number of entries that have no copy on disk.
    private(set) var countWithoutDisk = 0
    private var recency = RecencyList()
    private var nodes: [Node] = []
    private var groups: [Group] = []
    private var freeGroups: [Int] = []
    private var groupByDigest: [UInt64: Int] = [:]
    /// The digests of the keys that have a label.
    private var digestsByLabel: [UInt64: Set<UInt64>] = [:]

    /// Creates an empty tier that keeps its ready answers in `ready`.
    init(ready: ReadyAnswers = ReadyAnswers(), labelling: Labelling = Labelling()) {
        self.ready = ready
        self.labelling = labelling
    }

    /// Returns the number of the group of `key`; `nil` if nothing is stored under it.
    @inline(__always)
    func group(_ key: CacheKey, digest: UInt64) -> Int? {
        guard let number = groupByDigest[digest], groups[number].key == key else { return nil }
        return number
    }

    /// Returns the number of the group whose key has `digest`.
    func group(digest: UInt64) -> Int? { groupByDigest[digest] }

    /// The entries, nodes and key of a group.
    subscript(group number: Int) -> Group {
        _read { yield groups[number] }
        _modify {
            ready.drop(groups[number].digest)
            yield &groups[number]
        }
    }

    /// The node in `slot`.
    subscript(node slot: Int) -> Node { nodes[slot] }

    /// The least recently used node.
    var oldest: Node? { recency.oldest.map { nodes[$0] } }

    /// The nodes, most recently used first.
    var newestNodes: some Sequence<Node> {
        sequence(first: recency.newest) { slot in slot.map { recency.older(than: $0) } }
            .prefix { $0 != nil }
            .lazy.compactMap { $0.map { nodes[$0] } }
    }

    /// The digests of all keys.
    var digests: [UInt64] { Array(groupByDigest.keys) }

    /// Makes `slot` the most recently used.
    @inline(__always)
    mutating func touch(_ slot: Int, use: Int64) {
        recency.touch(slot)
        nodes[slot].used = use
    }

    /// Adds an entry that is not stored yet; `labels` are all that its labelling gives it.
    mutating func insert(_ entry: CacheEntry, as node: Node, labelled labels: [UInt64]) {
        ready.drop(node.digest)
        let slot = recency.add()
        if slot < nodes.count { nodes[slot] = node } else { nodes.append(node) }
        let number = makeGroup(entry.stored.key, digest: node.digest, labels)
        groups[number].append(LocatedEntry(entry: entry, tier: .memory), node: slot)
        addLabels(labels, to: number)
        usage += node.size
        countWithoutDisk += node.diskSerial == 0 ? 1 : 0
    }

    /// Removes one variant of the key with `digest`, if it exists.
    mutating func remove(digest: UInt64, variant: VariantKey) {
        guard let number = groupByDigest[digest], let place = place(of: variant, in: number) else { return }
        remove([place], of: number)
    }

    /// Removes the variants of the key with `digest` that satisfy `isMeant`; false if there are none.
    mutating func remove(digest: UInt64, where isMeant: (CacheEntry) -> Bool) -> Bool {
        guard let number = groupByDigest[digest] else { return false }
        let entries = groups[number].entries
        let places = entries.indices.filter { isMeant(entries[$0].entry) }
        if places.isEmpty { return false }
        remove(places, of: number)
        return true
    }

    private mutating func remove(_ places: [Int], of number: Int) {
        let digest = groups[number].digest
        ready.drop(digest)
        for index in places.reversed() { forget(groups[number].remove(at: index)) }
        if groups[number].nodes.isEmpty { drop(number, digest: digest) } else { relabel(number) }
    }

    /// Removes all variants of the key with `digest`; false if there are none.
    @discardableResult
    mutating func removeGroup(digest: UInt64) -> Bool {
        guard let number = groupByDigest[digest] else { return false }
        ready.drop(digest)
        for slot in groups[number].nodes { forget(slot) }
        drop(number, digest: digest)
        return true
    }

    /// Removes everything.
    mutating func removeAll() {
        ready.removeAll()
        self = MemoryTier(ready: ready, labelling: labelling)
    }

    /// Returns the position of a variant in a group.
    func place(of variant: VariantKey, in number: Int) -> Int? {
        groups[number].nodes.firstIndex { nodes[$0].variant == variant }
    }

    /// Replaces an entry by its newer version.
    mutating func update(_ entry: CacheEntry, size: Int, place: Int, in number: Int) {
        ready.drop(groups[number].digest)
        let slot = groups[number].nodes[place]
        usage += size - nodes[slot].size
        nodes[slot].size = size
        groups[number].entries[place] = LocatedEntry(entry: entry, tier: .memory)
        groups[number].table?.replace(place, by: entry.stored)
        relabel(number)
        addLabels(labelling.labels(of: entry.stored), to: number)
    }

    /// Records that the copy on disk with this serial number is gone.
    mutating func detach(digest: UInt64, diskSerial: UInt64) {
        guard let number = groupByDigest[digest] else { return }
        for slot in groups[number].nodes where nodes[slot].diskSerial == diskSerial {
            nodes[slot].diskSerial = 0
            countWithoutDisk += 1
        }
    }

    private mutating func makeGroup(_ key: CacheKey, digest: UInt64, _ labels: [UInt64]) -> Int {
        if let number = groupByDigest[digest] {
            if groups[number].key == key { return number }
            removeGroup(digest: digest)
        }
        let number = freeGroups.popLast() ?? groups.count
        let group = Group(key: key, digest: digest, labels: labels)
        if number < groups.count { groups[number] = group } else { groups.append(group) }
        groupByDigest[digest] = number
        return number
    }

    private mutating func drop(_ number: Int, digest: UInt64) {
        groupByDigest[digest] = nil
        removeLabels(of: number)
        groups[number] = Group()
        freeGroups.append(number)
    }

    private mutating func forget(_ slot: Int) {
        usage -= nodes[slot].size
        countWithoutDisk -= nodes[slot].diskSerial == 0 ? 1 : 0
        nodes[slot] = Node(digest: 0, variant: VariantKey(), size: 0)
        recency.remove(slot)
    }
}

extension MemoryTier.Group {
    fileprivate mutating func append(_ located: LocatedEntry, node: Int) {
        entries.append(located)
        nodes.append(node)
        if entries.count == 2 { table = VariantTable(entries) } else { table?.append(located.entry.stored) }
    }

    /// Removes the entry at a position; returns its node.
    fileprivate mutating func remove(at place: Int) -> Int {
        entries.remove(at: place)
        if entries.count < 2 { table = nil } else { table?.remove(at: place) }
        return nodes.remove(at: place)
    }
}

// MARK: - Labels and prefixes

extension MemoryTier {
    /// Returns the digests of the keys whose target URIs start with `prefix`, as stored or normalized.
    func digests(beginningWith prefix: String) -> Set<UInt64> {
        var prefix = prefix
        return prefix.withUTF8 { bytes in
            var found: Set<UInt64> = []
            for number in groups.indices where groups[number].begins(with: bytes) {
                found.insert(groups[number].digest)
            }
            return found
        }
    }

    /// Returns the digests of the keys of entries with one of the labels.
    func digests(labelled labels: [UInt64]) -> Set<UInt64> {
        labels.reduce(into: []) { $0.formUnion(digestsByLabel[$1] ?? []) }
    }

    private mutating func addLabels(_ labels: [UInt64], to number: Int) {
        for label in labels where groups[number].labels.insert(label).inserted {
            digestsByLabel[label, default: []].insert(groups[number].digest)
        }
    }

    private mutating func removeLabels(of number: Int) {
        for label in groups[number].labels {
            digestsByLabel[label]?.remove(groups[number].digest)
            if digestsByLabel[label]?.isEmpty == true { digestsByLabel[label] = nil }
        }
        groups[number].labels = []
    }

    /// Sets the labels of a group from its remaining entries.
    private mutating func relabel(_ number: Int) {
        guard !groups[number].labels.isEmpty else { return }
        let labels = groups[number].entries.flatMap { labelling.labels(of: $0.entry.stored) }
        removeLabels(of: number)
        addLabels(labels, to: number)
    }
}
