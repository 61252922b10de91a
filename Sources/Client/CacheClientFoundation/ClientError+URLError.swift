public import CacheClient
public import Foundation

extension ClientError {
    /// The error as URLSession would throw it: the code with the same number, the URL, and the reason as its
    /// description; `unknown` for a number that Foundation does not use, such as that of `addressRefused`.
    public var urlError: URLError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: reason, NSUnderlyingErrorKey: self]
        information[NSURLErrorFailingURLErrorKey] = URL(string: url)
        return URLError(URLError.Code(rawValue: code.rawValue) ?? .unknown, userInfo: information)
    }
}
