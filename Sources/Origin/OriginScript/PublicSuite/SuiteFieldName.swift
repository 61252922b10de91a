/// Names of the fields by which the suite's two ends talk past the cache, and of those it rewrites.
package enum SuiteFieldName {
    /// The target that the origin received.
    package static let serverBaseURL = "Server-Base-Url"
    /// The number of the test's requests that the origin has recorded, including this one.
    package static let serverRequestCount = "Server-Request-Count"
    /// The number that the request carried.
    package static let clientRequestCount = "Client-Request-Count"
    /// The origin's clock in milliseconds.
    package static let serverNow = "Server-Now"
    /// The numbers of all requests recorded so far.
    package static let requestNumbers = "Request-Numbers"
    /// The number of a request, from 1.
    package static let requestNumber = "Req-Num"
    /// The title of the test.
    package static let testName = "Test-Name"
    /// The id that identifies the test at the origin.
    package static let testID = "Test-ID"
    /// RFC 9110 §10.2.2.
    package static let location = "Location"
    /// RFC 9110 §8.7.
    package static let contentLocation = "Content-Location"
    /// RFC 8288.
    package static let link = "Link"
    /// RFC 6265.
    package static let cookie = "Cookie"
    /// RFC 9110 §6.6.1.
    package static let date = "Date"
    /// RFC 9111 §5.3.
    package static let expires = "Expires"
    /// RFC 9110 §8.8.2.
    package static let lastModified = "Last-Modified"
    /// RFC 9110 §13.1.3.
    package static let ifModifiedSince = "If-Modified-Since"
    /// RFC 9110 §13.1.4.
    package static let ifUnmodifiedSince = "If-Unmodified-Since"
    /// RFC 9110 §13.1.2.
    package static let ifNoneMatch = "If-None-Match"
    /// RFC 9110 §8.3.
    package static let contentType = "Content-Type"
    /// RFC 9111 §5.2.
    package static let cacheControl = "Cache-Control"
    /// RFC 9111 §5.4.
    package static let pragma = "Pragma"
}

extension StringProtocol {
    /// The text with its ASCII letters in lower case, by which field names are compared.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
