extension JSONValue {
    /// Parses a JSON text in UTF-8, with or without byte order mark.
    ///
    /// Throws the first syntax error, or the place where nesting exceeds `depthLimit`.
    public init(parsing bytes: [UInt8], depthLimit: Int = JSONLimits.usualDepth) throws(JSONProblem) {
        var parser = JSONParser(bytes, form: PlainForm(), limits: JSONLimits(depth: depthLimit))
        self = try parser.parse()
    }

    private struct PlainForm: JSONForm {
        func word(_ word: JSONWord, at place: JSONPosition) -> JSONValue {
            switch word {
            case .null: .null
            case .true: true
            case .false: false
            }
        }

        func number(_ number: JSONNumber, at place: JSONPosition) -> JSONValue { .number(number) }

        func string(_ text: String, at place: JSONPosition) -> JSONValue { .string(text) }

        func array(_ elements: [JSONValue], at place: JSONPosition) -> JSONValue { .array(elements) }

        func member(_ name: String, _ value: JSONValue, at place: JSONPosition) -> JSONObject.Member {
            JSONObject.Member(name, value)
        }

        func object(_ members: [JSONObject.Member], at place: JSONPosition) -> JSONValue {
            .object(JSONObject(members))
        }

        func check(_ name: String, after members: [JSONObject.Member], at place: JSONPosition) {}
    }
}
