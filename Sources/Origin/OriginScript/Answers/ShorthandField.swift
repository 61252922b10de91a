/// Names of the fields that an answer has keys of its own for.
enum ShorthandField {
    static let cacheControl = "Cache-Control"
    static let contentType = "Content-Type"
    static let expires = "Expires"
    static let location = "Location"
    static let setCookie = "Set-Cookie"
    static let vary = "Vary"
}
