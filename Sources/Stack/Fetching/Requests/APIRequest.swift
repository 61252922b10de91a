public import HTTPTypes
public import JSON

/// One call of an interface as a type of its own: where it goes, what it carries, what its answer must be and becomes.
public protocol APIRequest: Sendable {
    /// What the answer becomes.
    associatedtype Output: Sendable

    /// The path below the base URL, or an absolute URL.
    var path: String { get }
    /// The method; default GET.
    var method: HTTPRequest.Method { get }
    /// Which base URL; default the configuration's.
    var base: FetchRequest.Base { get }
    /// The parameters; default none.
    var parameters: Parameters { get }
    /// Header fields; default none.
    var fields: HTTPFields { get }
    /// The content; default what the method and the configuration make of the parameters.
    var body: FetchBody { get }
    /// How long nothing may arrive; `nil`, the default, for the configuration's.
    var timeout: Duration? { get }
    /// Whether the application cache is asked first; default false.
    var loadsCache: Bool { get }
    /// For how long the application cache keeps the result; default not at all.
    var cacheDuration: Duration { get }
    /// What the JSON of the answer must look like; default anything.
    var shape: JSONShape { get }

    /// Throws where the answer is not acceptable although its status is; by default where it has not the shape.
    func validate(_ response: FetchResponse) throws(FetchError)
    /// Makes the output of an answer that is acceptable.
    func output(of response: FetchResponse) throws(FetchError) -> Output
}

extension APIRequest {
    /// GET.
    public var method: HTTPRequest.Method { .get }
    /// The configuration's.
    public var base: FetchRequest.Base { .usual }
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

    /// Throws `invalid` where the answer has not the shape.
    public func validate(_ response: FetchResponse) throws(FetchError) {
        if case .anything = shape { return }
        guard let json = response.json else { throw FetchError(.invalid, "The answer is not JSON.") }
        if let problem = shape.problem(with: json) {
            throw FetchError(.invalid, "The answer is wrong: \(problem).")
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
    /// The response itself.
    public func output(of response: FetchResponse) throws(FetchError) -> FetchResponse { response }
}

extension APIRequest where Output == JSONValue {
    /// The JSON of the response.
    public func output(of response: FetchResponse) throws(FetchError) -> JSONValue {
        guard let json = response.json else { throw FetchError(.invalid, "The answer is not JSON.") }
        return json
    }
}

extension APIRequest where Output: Decodable {
    /// What Swift decodes from the JSON of the response.
    public func output(of response: FetchResponse) throws(FetchError) -> Output {
        try response.decoded(Output.self)
    }
}

extension FetchSession {
    /// Makes a call and returns what its answer becomes.
    public func send<Request: APIRequest>(_ call: Request) async throws(FetchError) -> Request.Output {
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
