import Scenarios

extension DriverChecklist {
    /// The checks that a driver may fail because of the HTTP implementation below its cache.
    static let limitSteps: [Item] = [
        Item(title: "it reports field values with bytes beyond ASCII", limit: .obsoleteText) {
            checklist throws(SubjectError) in try checklist.askForObsoleteText()
        },
        Item(title: "it sends an empty query", limit: .emptyQuery) { checklist throws(SubjectError) in
            try checklist.sendEmptyQuery()
        },
        Item(title: "it reports the final response after an interim one", limit: .interimResponses) {
            checklist throws(SubjectError) in try checklist.askAfterInterim()
        },
        Item(title: "it reports an error if a response ends in its head", limit: .prematureClose) {
            checklist throws(SubjectError) in
            try checklist.requireFailure(of: "/half", "of which only a part of the head was sent")
        },
        Item(title: "it reports an error if Content-Length is not a number", limit: .invalidLength) {
            checklist throws(SubjectError) in
            try checklist.requireFailure(of: "/unmeasured", "whose Content-Length is \"0x3\"")
        },
    ]

    fileprivate func askForObsoleteText() throws(SubjectError) {
        let marked = try response(to: SubjectRequest(method: "GET", url: url("/marked")))
        // The bytes C3 A9 of a field value, each as one character.
        let value = marked.fields.first { $0.name.lowercased() == "x-bytes" }?.value
        try require(
            "field X-Bytes",
            value == "caf\u{C3}\u{A9}",
            expected: "caf\u{C3}\u{A9}",
            seen: value ?? "none"
        )
    }

    fileprivate func sendEmptyQuery() throws(SubjectError) {
        _ = try response(to: SubjectRequest(method: "GET", url: url("/bytes", query: "")))
        let query = origin.record(after: 0).last?.request.query
        try require("query at the origin", query?.isEmpty == true, expected: "empty", seen: query ?? "none")
    }

    fileprivate func askAfterInterim() throws(SubjectError) {
        let seen = try response(to: SubjectRequest(method: "GET", url: url("/hinted")))
        try require("status", seen.status == 200, expected: "200", seen: "\(seen.status ?? 0)")
    }

    /// Requests a response that the driver must report as an error.
    fileprivate func requireFailure(of path: String, _ description: String) throws(SubjectError) {
        let reply = try ask(.request(SubjectRequest(method: "GET", url: url(path))), orThrow: false)
        guard reply.failure != nil else { throw SubjectError("it reports a response \(description)") }
    }
}
