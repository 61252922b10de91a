import CacheClient
import Conformance
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import OriginScript
import Scenarios

extension StackSessions {
    /// Returns the configuration of a session, from a profile and the scenario's settings.
    func configuration(_ profile: StackProfile?) -> FetchConfiguration {
        var configuration = profile?.fetchConfiguration ?? FetchConfiguration()
        configuration.baseURL = environment.address.url(settings.base ?? "")
        if let parameters = settings.defaultParameters {
            configuration.defaultParameters = Parameters(parameters.mapValues(\.constant))
        }
        if let fields = settings.defaultFields {
            configuration.defaultFields = HTTPFields(lines: environment.address.fields(fields))
        }
        if let version = settings.version { configuration.applicationVersion = version }
        if let sendsJSON = settings.sendsJSON { configuration.bodyForm = sendsJSON ? .json : .form }
        if let timeout = settings.timeout { configuration.timeout = timeout }
        if let limit = settings.limit { configuration.maximumInFlight = limit }
        if let retry = settings.retry {
            let interceptor = RetryInterceptor(clock: environment.clock) {
                $0.limit = retry.times
                $0.firstDelay = retry.delay
            }
            configuration.interceptors.append(interceptor)
        }
        configuration.monitors = [monitor]
        if settings.writesLog == true {
            configuration.logsDebug = true
            configuration.debugLog = { [monitor] in monitor.write($0) }
        }
        // The main actor does not run here, so callbacks are called where the request ends.
        configuration.callbacks = .anywhere
        configuration.executor = current.loop
        if profile == .sqFetch {
            configuration.valueCache = ImageValueCache(fetchedImages(), reencodesAsPNG: true)
        }
        return configuration
    }
}

extension ScenarioVariables {
    /// Returns a step's request, given the responses from which its parameters are taken.
    func request(
        _ step: FetchStep,
        tag: String?,
        _ responses: [String: FetchResponse] = [:]
    ) throws(FetchError) -> FetchRequest {
        let path = step.asksOtherHost ? url(step.path, atOtherHost: true) : step.path
        var request = FetchRequest(HTTPRequest.Method(rawValue: step.method) ?? .get, path)
        for (name, value) in step.parameters { request.parameters[name] = try value.json(responses) }
        request.fields = HTTPFields(lines: fields(step.fields))
        if let base = step.base { request.base = .url(url(base)) }
        if let body = step.body { request.body = .bytes(body.content, contentType: step.contentType) }
        request.policy = step.policy
        request.timeout = step.timeout
        request.priority = step.priority
        request.loadsCache = step.loadsCache
        request.cacheDuration = step.cacheFor ?? .zero
        request.serializer = step.serializer?.serializer
        request.tag = tag
        return request
    }
}

extension StackProfile {
    /// The library's settings for requests; SDWebImage, which has images only, uses the defaults.
    fileprivate var fetchConfiguration: FetchConfiguration {
        switch self {
        case .sdWebImage, .sdWebImage5: FetchConfiguration()
        case .afNetworking: .afNetworking
        case .sjNetwork: .sjNetwork
        case .sqFetch: .sqFetch
        }
    }
}

extension StackReachability {
    /// The corresponding status of the library.
    var status: NetworkStatus {
        switch self {
        case .unknown: .unknown
        case .none: .unreachable
        case .wired: .wired
        case .wifi: .wifi
        case .cellular: .cellular
        }
    }
}

extension FetchStep.Serializer {
    fileprivate var serializer: any ResponseSerializer {
        switch self {
        case .json: JSONSerializer()
        case .xml: XMLSerializer()
        case .text: TextSerializer()
        case .bytes: BytesSerializer()
        case .image: ImageSerializer()
        case .compound:
            CompoundSerializer([JSONSerializer(), XMLSerializer(), ImageSerializer(), TextSerializer()])
        }
    }
}

extension ParameterValue {
    /// The value of a parameter that needs no response; `null` for one that does.
    var constant: JSONValue { (try? json([:])) ?? .null }

    /// Returns the value, given the responses from which it is taken.
    func json(_ responses: [String: FetchResponse]) throws(FetchError) -> JSONValue {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .number(let value): return .number(value)
        case .text(let value): return .string(value)
        case .list(let values):
            var elements: [JSONValue] = []
            for value in values { elements.append(try value.json(responses)) }
            return .array(elements)
        case .map(let values):
            var members: [String: JSONValue] = [:]
            for (name, value) in values { members[name] = try value.json(responses) }
            return .object(JSONObject(members))
        case .result(let name, let path):
            guard let value = responses[name]?.json?.value(at: path.steps[...]) else {
                throw FetchError(.badRequest, "The response to \"\(name)\" has nothing at \(path.text).")
            }
            return value
        }
    }
}

extension JSONValue {
    fileprivate func value(at steps: ArraySlice<JSONPath.Step>) -> JSONValue? {
        guard let step = steps.first else { return self }
        let rest = steps.dropFirst()
        switch (step, self) {
        case (.member(let name), _): return self[name]?.value(at: rest)
        case (.element(let index), _): return self[index]?.value(at: rest)
        case (.every, .array(let elements)): return .array(elements.compactMap { $0.value(at: rest) })
        case (.every, .object(let object)):
            return .array(object.sortedMembers.compactMap { $0.value.value(at: rest) })
        case (.every, _): return nil
        }
    }
}
