/// Names of the fields for which an answer has separate keys.
enum ShorthandField {
    static let cacheControl = "Cache-Control"
    static let contentType = "Content-Type"
    static let expires = "Expires"
    static let location = "Location"
    static let setCookie = "Set-Cookie"
    static let vary = "Vary"
}
