/// An origin that answers as a sequence says and keeps the versions of its resources.
public struct GeneratedOrigin {
    private let resources: [Resource]
    private var versions: [String: Int] = [:]
    private var changed: [String: Int] = [:]

    /// Creates it.
    public init(_ resources: [Resource]) { self.resources = resources }

    /// Returns the response to a request that the cache forwarded, with the number of the exchange in
    /// `X-Exchange`; `nil` if the connection fails.
    public mutating func respond(
        to request: OracleRequest,
        with answer: Answer,
        exchange: Int,
        at now: Int
    ) -> OracleResponse? {
        guard !answer.fails else { return nil }
        let isOther = !["GET", "HEAD"].contains(request.method)
        if answer.changes || !request.isSafe && answer.status < 400 {
            versions[request.target, default: 1] += 1
            changed[request.target] = now
        }
        guard let resource = resources.first(where: { $0.target == request.target }) else {
            return OracleResponse(
                status: 404,
                fields: FieldSection([("X-Exchange", "\(exchange)")]),
                content: []
            )
        }
        let current = representation(of: resource, for: request, at: now)
        var fields = general(answer, resource, exchange, now)
        guard !isOther, answer.status == 200 else {
            let content = Array("status \(answer.status)".utf8)
            let isEmpty = [204, 304].contains(answer.status)
            fields["content-length"] = isEmpty ? nil : "\(content.count)"
            return OracleResponse(
                status: answer.status,
                fields: fields,
                content: isEmpty || request.method == "HEAD" ? [] : content
            )
        }
        fields["etag"] = current.tag
        fields["last-modified"] = current.modified.map(OracleDate.format)
        return selected(request, answer, current, &fields, resource)
    }

    // MARK: Representations

    struct Representation {
        var tag: String?
        var modified: Int?
        var content: [UInt8]
    }

    private func representation(of resource: Resource, for request: OracleRequest, at now: Int)
        -> Representation
    {
        let version = versions[resource.target] ?? 1
        let variant = resource.selecting.map { request.fields[$0] ?? "-" }.joined(separator: "|")
        let modified: Int? =
            switch resource.modified {
            case .unknown: nil
            case .longAgo: Self.modified(version)
            case .justNow: changed[resource.target] ?? ExchangeSequence.start
            }
        return Representation(
            tag: Self.tag(resource, variant, version),
            modified: modified,
            content: Array("\(resource.path) \(variant) version \(version)".utf8)
        )
    }

    /// Returns the Last-Modified date of a version of a resource modified long ago.
    static func modified(_ version: Int) -> Int { ExchangeSequence.start - 200 + 10 * version }

    /// Returns the entity tag of a version of a variant.
    static func tag(_ resource: Resource, _ variant: String, _ version: Int) -> String? {
        let name = variant.filter { $0.isLetter || $0.isNumber }
        return switch resource.tags {
        case .none: nil
        case .strong: "\"\(name)-\(version)\""
        case .weak: "W/\"\(name)-\(version)\""
        case .weakForAllVariants: "W/\"all-\(version)\""
        }
    }

    // MARK: Responses

    private func general(_ answer: Answer, _ resource: Resource, _ exchange: Int, _ now: Int) -> FieldSection
    {
        var fields = FieldSection([("X-Exchange", "\(exchange)")])
        let date = now + (answer.dateOffset ?? 0)
        if answer.dateOffset != nil { fields["date"] = OracleDate.format(date) }
        for line in (answer.cacheControl ?? "").split(separator: "\n") {
            fields.lines.append(.init(name: "cache-control", value: String(line)))
        }
        fields["expires"] = answer.expires.map { $0 < -86_400 ? "0" : OracleDate.format(date + $0) }
        fields["age"] = answer.age.map(String.init)
        let vary = answer.vary ?? resource.selecting.joined(separator: ", ")
        fields["vary"] = vary.isEmpty ? nil : vary
        for line in answer.fields.lines {
            fields.lines.append(.init(name: line.name, value: line.value.replacing("%", with: exchange)))
        }
        return fields
    }

    private func selected(
        _ request: OracleRequest,
        _ answer: Answer,
        _ current: Representation,
        _ fields: inout FieldSection,
        _ resource: Resource
    ) -> OracleResponse {
        if let forced = answer.forced {
            fields["etag"] = forcedTag(forced, current, resource, request)
            return reduced(304, answer, fields, [])
        }
        if !answer.ignoresConditions, isNotModified(request, current) {
            return reduced(304, answer, fields, [])
        }
        let content = current.content
        if let range = request.fields["range"], request.method == "GET", !answer.ignoresRange,
            ifRangeHolds(request, current)
        {
            return ranged(range, content, answer, fields)
        }
        fields["content-length"] = "\(content.count)"
        if request.method == "HEAD" { return reduced(200, answer, fields, []) }
        return OracleResponse(status: 200, fields: fields, content: content)
    }

    private func ranged(_ range: String, _ content: [UInt8], _ answer: Answer, _ fields: FieldSection)
        -> OracleResponse
    {
        var fields = fields
        switch ByteRange(range, of: content.count) {
        case .satisfiable(let range):
            fields["content-range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
            fields["content-length"] = "\(range.count)"
            return reduced(206, answer, fields, Array(content[range]))
        case .unsatisfiable:
            fields["content-range"] = "bytes */\(content.count)"
            fields["etag"] = nil
            fields["last-modified"] = nil
            fields["content-length"] = "0"
            return OracleResponse(status: 416, fields: fields, content: [])
        case .other:
            fields["content-length"] = "\(content.count)"
            return OracleResponse(status: 200, fields: fields, content: content)
        }
    }

    private func reduced(_ status: Int, _ answer: Answer, _ fields: FieldSection, _ content: [UInt8])
        -> OracleResponse
    {
        var fields = fields
        for name in answer.omitted { fields[name] = nil }
        return OracleResponse(status: status, fields: fields, content: content)
    }

    private func isNotModified(_ request: OracleRequest, _ current: Representation) -> Bool {
        if let list = request.fields["if-none-match"] {
            guard let tag = EntityTag(current.tag) else { return list == "*" }
            return list == "*" || EntityTag.list(list).contains { $0.weakly(tag) }
        }
        guard let since = request.fields["if-modified-since"].flatMap(OracleDate.parse),
            let modified = current.modified
        else { return false }
        return modified <= since
    }

    private func ifRangeHolds(_ request: OracleRequest, _ current: Representation) -> Bool {
        guard let condition = request.fields["if-range"] else { return true }
        if let tag = EntityTag(condition) { return EntityTag(current.tag)?.strongly(tag) == true }
        return OracleDate.parse(condition) == current.modified && current.modified != nil
    }

    private func forcedTag(
        _ forced: Answer.ForcedTag,
        _ current: Representation,
        _ resource: Resource,
        _ request: OracleRequest
    ) -> String? {
        let version = versions[resource.target] ?? 1
        let variant = resource.selecting.map { request.fields[$0] ?? "-" }.joined(separator: "|")
        return switch forced {
        case .absent: nil
        case .ofOtherVariant: Self.tag(resource, variant == "en" ? "de" : "en", version)
        case .ofEarlierVersion: Self.tag(resource, variant, version - 1)
        case .weakened: current.tag.map { $0.hasPrefix("W/") ? $0 : "W/" + $0 }
        case .unknown: "\"unknown\""
        }
    }
}

extension String {
    /// Returns the text with each placeholder replaced by a number.
    fileprivate func replacing(_ placeholder: Character, with number: Int) -> String {
        split(separator: placeholder, omittingEmptySubsequences: false).joined(separator: "\(number)")
    }
}
