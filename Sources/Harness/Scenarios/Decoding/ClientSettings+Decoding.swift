import CacheSemantics
import LocatedYAML
import OriginScript

extension ClientSettings {
    /// Decodes a map of settings; settings that are not given keep their defaults.
    static func decode(_ node: YAMLNode, _ problems: ProblemCollector) -> ClientSettings {
        var settings = ClientSettings()
        guard let map = MapReader<ClientKey>(node, problems) else { return settings }
        let share = Reader.number.when({ $0 >= 0 && $0 <= 1 }, expected: "a share from 0 to 1")
        map.set(&settings.memoryCapacity, .memoryCapacity, .size)
        map.set(&settings.diskCapacity, .diskCapacity, .size)
        map.set(&settings.largestShare, .largestShare, share)
        map.set(&settings.usesHeuristics, .heuristics, .bool)
        map.set(&settings.keepsPartialContent, .partialContent, .bool)
        map.set(&settings.hook, .hook, HookSetting.reader)
        map.set(&settings.expirationInterval, .expirationInterval, .duration)
        map.set(&settings.connectionsPerHost, .connectionsPerHost, .integer(in: 1...1000))
        map.set(&settings.followsRedirects, .followRedirects, .bool)
        map.set(&settings.defaultPolicy, .defaultPolicy, ScenarioReading.policy)
        map.set(&settings.targets, .targets, Reader.fieldName.list())
        map.set(&settings.deviations, .deviations, deviation.list().map { Deviations($0) })
        map.set(&settings.partitions, .partition, .bool)
        map.set(&settings.normalizesPercentEncoding, .normalizePercentEncoding, .bool)
        map.set(&settings.passedFields, .passFields, Reader.fieldName.list())
        map.set(&settings.trust, .trust, TrustSettings.reader)
        return settings
    }
}

extension ClientSettings {
    private static var deviation: Reader<Deviations> {
        Reader.word(of: Deviations.names).map { Deviations(name: $0) ?? [] }
    }
}

extension HookSetting {
    /// Reads a word, or a map with one change.
    static var reader: Reader<HookSetting> {
        Reader { node, problems in
            guard node.pairs != nil else { return word.read(node, problems) }
            guard let map = MapReader<HookKey>(node, problems) else { return nil }
            guard map.keys.count == 1, let key = map.keys.first else {
                problems.add(
                    at: map.position,
                    found: "\(map.keys.count) changes by a hook",
                    expected: "one of append, user-info, fields"
                )
                return nil
            }
            switch key {
            case .append: return map.optional(.append, .text).map { .append($0) }
            case .userInfo: return map.optional(.userInfo, Reader.textMap).map { .userInfo($0) }
            case .fields: return map.optional(.fields, Reader.textMap).map { .fields($0) }
            }
        }
    }

    private static var word: Reader<HookSetting> {
        Reader.word(of: ["pass", "refuse", "memory-only", "not-allowed"]).map { word in
            switch word {
            case "refuse": .refuse
            case "memory-only": .memoryOnly
            case "not-allowed": .notAllowed
            default: .pass
            }
        }
    }
}
