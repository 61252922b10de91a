import LocatedYAML
import OriginScript

extension ScenarioReading {
    /// Decodes the client's settings; settings that are not given keep their defaults.
    func clientSettings(_ node: YAMLNode) -> ClientSettings {
        var settings = ClientSettings()
        MapReader<ClientKey>(node, problems).map { read($0, by: ClientKey.table, into: &settings) }
        return settings
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
