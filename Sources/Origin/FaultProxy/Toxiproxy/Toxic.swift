import JSON

/// One kind of fault of a Toxiproxy proxy, with the attributes that Toxiproxy's README gives it.
enum ToxicType: String, CaseIterable, Sendable {
    case latency, bandwidth, timeout, slicer
    case slowClose = "slow_close"
    case resetPeer = "reset_peer"
    case limitData = "limit_data"

    /// Names of its attributes, all integers; 0 where a request does not give one.
    var attributes: [String] {
        switch self {
        case .latency: ["latency", "jitter"]
        case .bandwidth: ["rate"]
        case .timeout, .resetPeer: ["timeout"]
        case .slicer: ["average_size", "size_variation", "delay"]
        case .slowClose: ["delay"]
        case .limitData: ["bytes"]
        }
    }
}

/// A fault of one direction of a proxy's connections.
struct Toxic: Sendable, Hashable {
    /// The direction of bytes, seen from the client.
    enum Stream: String, Sendable {
        case upstream, downstream
    }
    let name: String
    let type: ToxicType
    let stream: Stream
    /// The probability with which a connection is affected, 0 to 1.
    var toxicity: Double
    var attributes: [String: Int]

    /// The largest value of an attribute that is a time or an amount: 34 years in milliseconds, a tebibyte.
    private static let maximumValue = 1 << 40

    /// The value of an attribute, at least 0.
    subscript(_ attribute: String) -> Int { min(max(attributes[attribute] ?? 0, 0), Self.maximumValue) }

    /// Returns the value of an attribute in milliseconds.
    func milliseconds(_ attribute: String) -> Duration { .milliseconds(self[attribute]) }

    /// The toxic as the API shows it.
    var json: JSONValue {
        [
            "attributes": .object(type.attributes.map { ($0, .integer(attributes[$0] ?? 0)) }),
            "name": .string(name), "type": .string(type.rawValue), "stream": .string(stream.rawValue),
            "toxicity": .number(toxicity),
        ]
    }

    /// Reads a toxic from a request's content; its name and stream have Toxiproxy's defaults.
    init(_ json: JSONValue) throws(ToxiproxyProblem) {
        let stream = try json.text("stream") ?? ""
        guard let known = Stream(rawValue: stream.isEmpty ? Stream.downstream.rawValue : stream) else {
            throw .invalidStream
        }
        guard let type = ToxicType(rawValue: try json.text("type") ?? "") else { throw .invalidToxicType }
        let name = try json.text("name") ?? ""
        (self.type, self.stream) = (type, known)
        self.name = name.isEmpty ? "\(type.rawValue)_\(known.rawValue)" : name
        (toxicity, attributes) = (1, [:])
        try update(json)
    }

    /// Applies the attributes and the toxicity that a request contains; the others are unchanged.
    mutating func update(_ json: JSONValue) throws(ToxiproxyProblem) {
        if let given = json["toxicity"], given != .null {
            guard let number = given.double, (0...1).contains(number) else {
                throw .badContent("toxicity: expected a number from 0 to 1")
            }
            toxicity = number
        }
        guard let given = json["attributes"], given != .null else { return }
        guard case .object = given else { throw .badContent("attributes: expected an object") }
        for name in type.attributes {
            guard let value = given[name] else { continue }
            guard let integer = value.integer else { throw .badContent("\(name): expected an integer") }
            attributes[name] = integer
        }
    }
}
