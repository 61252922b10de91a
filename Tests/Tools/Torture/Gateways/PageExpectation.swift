import TestSupport

/// The permitted responses to a request for a page.
struct PageExpectation {
    let page: OriginPage
    /// The versions that may be used.
    let versions: ClosedRange<Int>
    /// Whether 504 is permitted, because nothing may be stored.
    let mayBeAbsent: Bool

    /// Returns the problem of a response; `nil` if there is none.
    func problem(of response: RawResponse) -> String? {
        if mayBeAbsent, response.status == 504 { return nil }
        guard [200, 206].contains(response.status) else { return "status \(response.status)" }
        guard let version = response["X-Version"].flatMap({ Int($0) }) else { return "no version" }
        guard versions.contains(version) else { return "version \(version), expected \(versions)" }
        guard response["ETag"] == page.entityTag(version) else { return "the entity tag of another version" }
        guard response["Content-Encoding"] == (page.variant == "gzip" ? "gzip" : nil) else {
            return "the content coding of another variant"
        }
        let content = page.content(version)
        guard response.status == 206 else {
            return response.body == content ? nil : "content that is not version \(version)'s"
        }
        return problem(ofPart: response, content)
    }

    private func problem(ofPart response: RawResponse, _ content: [UInt8]) -> String? {
        let text = response["Content-Range"] ?? ""
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard text.hasPrefix("bytes "), numbers.count == 3, numbers[2] == content.count,
            numbers[0] <= numbers[1], numbers[1] < content.count
        else { return "Content-Range: \(text)" }
        return response.body[...] == content[numbers[0]...numbers[1]] ? nil : "a part of other content"
    }
}
