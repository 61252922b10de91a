import LocatedYAML
import OriginScript

extension StackSettings {
    /// Reads a map of settings.
    static var reader: Reader<StackSettings> {
        Reader { node, problems in
            guard let map = MapReader<StackKey>(node, problems) else { return nil }
            var settings = StackSettings()
            map.set(&settings.profile, .profile, Reader<StackProfile>.choice)
            map.set(&settings.base, .base, .requestPath)
            map.set(&settings.defaultParameters, .defaultParameters, ParameterValue.constants)
            map.set(&settings.defaultFields, .defaultFields, FieldLine.listReader)
            map.set(&settings.version, .version, .text)
            map.set(&settings.sendsJSON, .bodyForm, Reader.word(of: ["form", "json"]).map { $0 == "json" })
            map.set(&settings.timeout, .timeout, .duration)
            map.set(&settings.limit, .limit, .integer(in: 1...1000))
            map.set(&settings.retry, .retry, RetrySetting.reader)
            map.set(&settings.keepsCookies, .cookies, .bool)
            map.set(&settings.images, .images, ImageSettings.reader)
            map.set(&settings.writesLog, .debugLog, .bool)
            return settings
        }
    }
}

extension RetrySetting {
    fileprivate static var reader: Reader<RetrySetting> {
        Reader { node, problems in
            guard let map = MapReader<RetryKey>(node, problems) else { return nil }
            let times = map.required(.times, .integer(in: 1...100))
            let delay = map.optional(.delay, .duration) ?? .seconds(1)
            return times.map { RetrySetting(times: $0, delay: delay) }
        }
    }
}
