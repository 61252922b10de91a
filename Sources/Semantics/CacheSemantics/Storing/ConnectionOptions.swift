package import HTTPTypes

/// The fields that `Connection` lists (RFC 9110 §7.6.1).
///
/// It must not list a field intended for all recipients. Those without which a response is misread or used for too long are
/// kept nevertheless, so that the response is the same whether it comes from the origin or from the store.
enum ConnectionOptions {
    /// Returns the names of the fields to remove, each once.
    static func names(_ lines: [String]) -> Set<HTTPField.Name> {
        let listed = FieldList.members(of: lines) { HTTPField.Name(ASCII.lowercased($0)) }
        return Set(listed).subtracting(StoredFields.keptForAll)
    }

    /// Returns the response as a caller gets it: without the fields that `Connection` lists, which a stored response lacks.
    ///
    /// `Connection` itself stays, and so does what is about the connection whether it is listed or not.
    static func removed(from response: HTTPResponse) -> HTTPResponse {
        let lines = response.headerFields[values: .connection]
        guard !lines.isEmpty else { return response }
        let listed = names(lines).subtracting(ofConnection)
        guard response.headerFields.contains(where: { listed.contains($0.name) }) else { return response }
        var kept = HTTPFields()
        for field in response.headerFields where !listed.contains(field.name) { kept.append(field) }
        return HTTPResponse(status: response.status, headerFields: kept)
    }

    private static let ofConnection: Set<HTTPField.Name> = [
        .connection, .keepAlive, .proxyConnection, .te, .trailer, .transferEncoding, .upgrade,
    ]

    /// Whether a value of `Connection` only specifies whether the connection persists, as most do.
    static func isPersistence(_ value: String) -> Bool {
        let option = ASCII.lowercased(ArraySlice(Array(value.utf8)))
        return option == "keep-alive" || option == "close"
    }
}

extension HTTPFields {
    /// The names of the fields of a response that `Connection` lists and that are not forwarded.
    package var connectionOptions: Set<HTTPField.Name> {
        contains(.connection) ? ConnectionOptions.names(self[values: .connection]) : []
    }
}
