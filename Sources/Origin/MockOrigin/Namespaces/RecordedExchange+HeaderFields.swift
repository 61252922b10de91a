public import HTTPTypes

extension RecordedExchange {
    /// The request's fields; names that HTTP does not allow are left out.
    public var headerFields: HTTPFields {
        var fields = HTTPFields()
        for field in request.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        return fields
    }
}
