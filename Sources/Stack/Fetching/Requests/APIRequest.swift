public import HTTPTypes
public import JSON

/// A call of an API as a type: its path, parameters, validation and output.
public protocol APIRequest: Sendable {
    /// The type of the output.
    associatedtype Output: Sendable

    /// The path below the base URL, or an absolute URL.
    var path: String { get }
    /// The method; default GET.
    var method: HTTPRequest.Method { get }
    /// The base URL; default the configuration's.
    var base: FetchRequest.Base { get }
    /// The parameters; default none.
    var parameters: Parameters { get }
    /// Header fields; default none.
    var fields: HTTPFields { get }
    /// The content; default the parameters as the method and the configuration require.
    var body: FetchBody { get }
    /// The inactivity timeout; `nil`, the default, uses the configuration's.
    var timeout: Duration? { get }
    /// Whether the application cache is consulted first; default false.
    var loadsCache: Bool { get }
    /// The time for which the application cache keeps the response; zero, the default, does not store it.
    var cacheDuration: Duration { get }
    /// The expected shape of the response's JSON; default anything.
    var shape: JSONShape { get }

    /// Throws if the response is not acceptable although its status is; by default if it does not match the
    /// shape.
    func validate(_ response: FetchResponse) throws(FetchError)
    /// Returns the output of an acceptable response.
    func output(of response: FetchResponse) throws(FetchError) -> Output
}

extension APIRequest {
    /// GET.
    public var method: HTTPRequest.Method { .get }
    /// The configuration's.
    public var base: FetchRequest.Base { .default }
    /// None.
    public var parameters: Parameters { [:] }
    /// None.
    public var fields: HTTPFields { [:] }
    /// The parameters.
    public var body: FetchBody { .parameters }
    /// The configuration's.
    public var timeout: Duration? { nil }
    /// False.
    public var loadsCache: Bool { false }
    /// Zero.
    public var cacheDuration: Duration { .zero }
    /// Anything.
    public var shape: JSONShape { .anything }

    /// Throws `invalid` if the response does not match the shape.
    public func validate(_ response: FetchResponse) throws(FetchError) {
        if case .anything = shape { return }
        guard let json = response.json else { throw FetchError(.invalid, "The response is not JSON.") }
        if let problem = shape.problem(with: json) {
            throw FetchError(.invalid, "The response does not match the expected shape: \(problem).")
        }
    }

    /// The request as a value.
    public var request: FetchRequest {
        FetchRequest(method, path, parameters: parameters).with {
            $0.base = base
            $0.fields = fields
            $0.body = body
            $0.timeout = timeout
            $0.loadsCache = loadsCache
            $0.cacheDuration = cacheDuration
        }
    }
}

extension APIRequest where Output == FetchResponse {
    /// Returns the response.
    public func output(of response: FetchResponse) throws(FetchError) -> FetchResponse { response }
}

extension APIRequest where Output == JSONValue {
    /// Returns the JSON of the response.
    public func output(of response: FetchResponse) throws(FetchError) -> JSONValue {
        guard let json = response.json else { throw FetchError(.invalid, "The response is not JSON.") }
        return json
    }
}

extension APIRequest where Output: Decodable {
    /// Returns the JSON of the response, decoded as the output type.
    public func output(of response: FetchResponse) throws(FetchError) -> Output {
        try response.decoded(Output.self)
    }
}

extension FetchSession {
    /// Makes a call and returns its output.
    public nonisolated(nonsending) func send<Request: APIRequest>(_ call: Request) async throws(FetchError)
        -> Request.Output
    {
        let response = try await send(call.request)
        do throws(FetchError) {
            try call.validate(response)
            return try call.output(of: response)
        } catch {
            var error = error.of(response.request)
            error.status = error.status ?? response.status
            error.body = response.body
            throw error
        }
    }
}
