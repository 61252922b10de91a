public import LocatedYAML

/// The keys of a network profile.
package enum NetworkKey: String, MapKey {
    case name, down, up, delay
    case delayDown = "delay-down"
    case delayUp = "delay-up"
    case latency, loss
    case lossDown = "loss-down"
    case lossUp = "loss-up"
    case dns
    package static let mapName = "a network profile"
}

extension NetworkProfile {
    /// A profile as a map; `latency` makes it one of requests, `delay` is each way.
    package static var reader: Reader<NetworkProfile> {
        Reader { node, problems in
            guard let map = MapReader<NetworkKey>(node, problems) else { return nil }
            var profile = NetworkProfile(name: map.optional(.name, .text) ?? "custom")
            profile.read(map)
            return profile
        }
    }

    private mutating func read(_ map: MapReader<NetworkKey>) {
        map.set(&down, .down, Self.rate)
        map.set(&up, .up, Self.rate)
        if let delay = map.optional(.delay, .duration) { (delayDown, delayUp) = (delay, delay) }
        map.set(&delayDown, .delayDown, .duration)
        map.set(&delayUp, .delayUp, .duration)
        if let loss = map.optional(.loss, Self.share) { (lossDown, lossUp) = (loss, loss) }
        map.set(&lossDown, .lossDown, Self.share)
        map.set(&lossUp, .lossUp, Self.share)
        map.set(&dnsDelay, .dns, .duration)
        readLatency(map)
    }

    /// Reads the latency of requests, in place of the settings of packets.
    private mutating func readLatency(_ map: MapReader<NetworkKey>) {
        guard let latency = map.optional(.latency, .duration) else { return }
        let ofPackets: [NetworkKey] = [.delay, .delayDown, .delayUp, .loss, .lossDown, .lossUp]
        if map.keys.contains(where: ofPackets.contains) {
            map.problems.add(
                at: map.position(of: .latency),
                found: "\"latency\", which applies to requests, together with settings of packets",
                expected: "one of latency, delay and loss"
            )
        }
        (layer, delayDown, delayUp) = (.request, latency, .zero)
    }

    /// Bytes per second: `780kbit/s`, `1.5Mbit/s`, `50kB/s`; a bit and a byte are not the same.
    private static var rate: Reader<Double> {
        Reader(expected: "a rate such as 780kbit/s, 1.5Mbit/s or 50kB/s") { scalar in
            let units = [
                "Mbit/s": 125_000.0, "kbit/s": 125, "bit/s": 0.125, "MB/s": 1e6, "kB/s": 1000, "B/s": 1,
            ]
            for (unit, bytes) in units where scalar.text.hasSuffix(unit) {
                let digits = scalar.text.dropLast(unit.count)
                let isNumber =
                    !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
                if isNumber, let number = Double(String(digits)) { return number * bytes }
            }
            return nil
        }
    }

    private static var share: Reader<Double> {
        Reader(expected: "a share such as 10% or 0.1") { Fault.share($0.text) }
    }
}

/// The keys of a file of network profiles.
package enum NetworkFileKey: String, MapKey {
    case profiles
    package static let mapName = "a file of network profiles"
}

/// A file of custom profiles: `profiles:` and a list, each with a `name`.
public enum NetworkFile {
    /// Reads the file's text; throws every problem of the file at once, each with its place.
    public static func decode(_ text: String, file: String) throws(YAMLProblems) -> [NetworkProfile] {
        let root = try YAMLNode.parse(text, file: file)
        let problems = ProblemCollector()
        let map = MapReader<NetworkFileKey>(root, problems)
        let profiles = map?.required(.profiles, NetworkProfile.reader.list()) ?? []
        try problems.throwIfAny()
        return profiles
    }
}
