import HTTPServing

/// Pages of another origin that may call the API, by the CORS protocol (WHATWG Fetch).
struct CrossOriginAccess: Sendable {
    /// The origin, such as `http://localhost:3000`, or `*` for every origin; `nil` allows none.
    let allowed: String?

    /// Returns the fields of a response to a request with these values of `Origin`; empty if its pages may not read the response.
    func fields(for origin: String?) -> [ServedField] {
        guard let allowed, let origin, allowed == "*" || allowed == origin else { return [] }
        let access = ServedField("Access-Control-Allow-Origin", allowed)
        return allowed == "*" ? [access] : [access, ServedField(FieldName.vary, "Origin")]
    }

    /// Returns the fields of the response to a preflight; `nil` if the request is none, or of another origin.
    func preflight(_ method: String, origin: String?, requested: String?) -> [ServedField]? {
        let fields = fields(for: origin)
        // A preflight has no credentials, so it cannot have a token.
        guard method == "OPTIONS", requested != nil, !fields.isEmpty else { return nil }
        return fields + [
            ServedField("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE"),
            ServedField("Access-Control-Allow-Headers", "Authorization, Content-Type"),
            ServedField("Access-Control-Max-Age", "600"),
        ]
    }
}
