import Conformance

/// A private cache in a dictionary, as one writes it in an afternoon, with the mistakes of an afternoon.
actor DictionaryCache: Subject {
    private struct Entry {
        var response: SubjectResponse
        var storedAt: Double
        var lifetime: Double
    }
    private let context: SubjectContext
    private var entries: [String: Entry] = [:]

    init(_ context: SubjectContext) { self.context = context }

    func respond(to request: SubjectRequest) async throws -> SubjectResponse {
        guard request.method == "GET", request.headerFields[.range] == nil else {
            return try await context.send(request)
        }
        let directives = Directives(request.headerFields[.cacheControl])
        let entry = entries[request.url]
        if let entry, isFresh(entry, for: directives) { return response(from: entry) }
        if directives["only-if-cached"] != nil { return SubjectResponse(status: 504) }
        return try await validate(entry, request)
    }

    func removeAll() { entries = [:] }

    // MARK: Storing

    private func store(_ response: SubjectResponse, for request: SubjectRequest) {
        let directives = Directives(response.headerFields[.cacheControl])
        let ofRequest = Directives(request.headerFields[.cacheControl])
        let isForbidden = directives["no-store"] != nil || ofRequest["no-store"] != nil
        guard response.status == 200, !isForbidden, let lifetime = lifetime(response, directives) else {
            return entries[request.url] = nil
        }
        entries[request.url] = Entry(response: response, storedAt: now, lifetime: lifetime)
    }

    private func lifetime(_ response: SubjectResponse, _ directives: Directives) -> Double? {
        if directives["no-cache"] != nil { return 0 }
        if let age = directives.seconds("max-age") { return age }
        return response.headerFields[.eTag] == nil ? nil : 0
    }

    // MARK: Reuse

    private var now: Double { context.clock.timeSinceEpoch / .seconds(1) }

    private func isFresh(_ entry: Entry, for request: Directives) -> Bool {
        let age = now - entry.storedAt
        if request["no-cache"] != nil { return false }
        return age < min(entry.lifetime, request.seconds("max-age") ?? .infinity)
    }

    private func response(from entry: Entry) -> SubjectResponse {
        var response = entry.response
        response.headerFields[.age] = String(Int(now - entry.storedAt))
        return response
    }

    // MARK: Validation

    private func validate(_ entry: Entry?, _ request: SubjectRequest) async throws -> SubjectResponse {
        var sent = request
        let isConditional = request.headerFields[.ifNoneMatch] != nil
        if let tag = entry?.response.headerFields[.eTag], !isConditional {
            sent.headerFields[.ifNoneMatch] = tag
        }
        let received = try await context.send(sent)
        guard received.status == 304, !isConditional, var entry else {
            store(received, for: request)
            return received
        }
        entry.storedAt = now
        entries[request.url] = entry
        return response(from: entry)
    }
}

/// The directives of a Cache-Control field.
private struct Directives {
    private var arguments: [String: String] = [:]

    init(_ value: String?) {
        for directive in (value ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            let name = parts.first?.trimmingPrefix { $0 == " " } ?? ""
            arguments[String(name)] = parts.count > 1 ? String(parts[1]) : ""
        }
    }

    subscript(name: String) -> String? { arguments[name] }

    func seconds(_ name: String) -> Double? { arguments[name].flatMap(Double.init) }
}
