package import LocatedYAML

/// A network that changes over time: profiles one after another, the last for ever.
public struct NetworkSchedule: Sendable, Hashable {
    /// A profile and how long it holds.
    public struct Phase: Sendable, Hashable {
        /// The profile that holds in this phase.
        public var profile: NetworkProfile
        /// The length of the phase; `nil`, of the last only, means for ever.
        public var length: Duration?

        /// Creates a phase.
        public init(_ profile: NetworkProfile, for length: Duration? = nil) {
            self.profile = profile
            self.length = length
        }
    }
    /// In order of time; never empty.
    public let phases: [Phase]

    /// Creates a schedule; the last phase holds for ever regardless of its length.
    public init(_ first: Phase, _ others: [Phase] = []) {
        phases = [first] + others
    }

    /// Returns the profile that holds so long after the beginning, and when the next one does.
    public func profile(at elapsed: Duration) -> (profile: NetworkProfile, until: Duration?) {
        var end = Duration.zero
        for phase in phases.dropLast() {
            end += phase.length ?? .zero
            if elapsed < end { return (phase.profile, end) }
        }
        return (phases[phases.count - 1].profile, nil)
    }

    /// Parses `apple:lte`, or `lte for 5s, then 100% loss for 3s, then edge`.
    ///
    /// A name without its list is Apple's; `custom` comes before the presets.
    public init(text: some StringProtocol, custom: [NetworkProfile] = []) throws(FaultTextProblem) {
        let parts = String(text).split(separator: ",")
        var phases: [Phase] = []
        for (index, part) in parts.enumerated() {
            var words = part.split(separator: " ")
            if index > 0, words.first == "then" { words.removeFirst() }
            phases.append(try Self.phase(words, isLast: index == parts.count - 1, custom))
        }
        guard let first = phases.first else { throw FaultTextProblem(text, "the name of a network profile") }
        self.init(first, Array(phases.dropFirst()))
    }

    private static func phase(
        _ words: [Substring],
        isLast: Bool,
        _ custom: [NetworkProfile]
    ) throws(FaultTextProblem) -> Phase {
        let index = words.firstIndex(of: "for")
        let name = words[..<(index ?? words.count)].joined(separator: " ")
        let profile = try NetworkProfile(named: name, custom: custom)
        guard let index else {
            if isLast { return Phase(profile) }
            throw FaultTextProblem(name, "\(name) for a duration, because another profile follows")
        }
        guard index + 2 == words.count, let length = Quantity.duration(words[index + 1]), length > .zero
        else {
            throw FaultTextProblem(words[index...].joined(separator: " "), "for and a duration such as 5s")
        }
        return Phase(profile, for: length)
    }

    /// A reader of a schedule as text, or of an unnamed profile as a map.
    package static var reader: Reader<NetworkSchedule> {
        Reader { node, problems in
            if node.pairs != nil {
                return NetworkProfile.reader.read(node, problems).map { .init(Phase($0)) }
            }
            guard let text = node.scalarText else {
                problems.add(node, expected: "a network profile")
                return nil
            }
            do throws(FaultTextProblem) {
                return try NetworkSchedule(text: text)
            } catch {
                problems.add(at: node.position, found: error.found, expected: error.expected)
                return nil
            }
        }
    }
}

extension NetworkProfile {
    /// Finds a profile by its name, in any case, with spaces or hyphens; `N% loss` is one of packets,
    /// `offline` lets nothing through and `online` all.
    public init(named text: String, custom: [NetworkProfile] = []) throws(FaultTextProblem) {
        let name = text.lowercased().split(separator: " ").joined(separator: "-")
        let profiles = custom + Self.presets
        if let known = profiles.first(where: { $0.name == name || $0.name == "apple:" + name }) {
            self = known
        } else if name == "online" || name == "offline" {
            self.init(name: name)
            if name == "offline" { (lossDown, lossUp) = (1, 1) }
        } else if name.hasSuffix("%-loss"), let loss = Fault.share(name.dropLast(5)) {
            self.init(name: name)
            (lossDown, lossUp) = (loss, loss)
        } else {
            throw FaultTextProblem(text, Self.expected(near: name, among: profiles.map(\.name)))
        }
    }

    private static func expected(near name: String, among names: [String]) -> String {
        let near = Self.names(near: name, among: names)
        if near.isEmpty { return "a network profile of `cachecheck network list`, a map, online or offline" }
        return near.map { "\"\($0)\"" }.joined(separator: " or ")
    }

    /// Returns the name that is spelled most alike, then up to three of the same network in other families.
    private static func names(near name: String, among names: [String]) -> [String] {
        let network = name.split(separator: ":").last ?? ""
        let others = names.filter { $0.split { ":-".contains($0) }.dropFirst().contains(network) }
        let alike = NearestKey.suggestion(for: name, among: names)
        return [alike].compactMap(\.self)
            + others.filter { $0 != alike }.sorted { $0.count < $1.count }.prefix(3)
    }
}
