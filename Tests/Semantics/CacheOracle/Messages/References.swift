/// Resolves a path or an absolute URI against a target URI (RFC 9110 §10.2.2); enough for what is generated.
func resolve(_ reference: String, against target: String) -> String {
    guard reference.hasPrefix("/") else { return reference }
    let afterScheme = target.range(after: "://")
    let authority = afterScheme.prefix { $0 != "/" }
    return String(target[..<authority.endIndex]) + reference
}

extension String {
    fileprivate func range(after separator: String) -> Substring {
        var rest = Substring(self)
        while !rest.isEmpty, !rest.hasPrefix(separator) { rest.removeFirst() }
        return rest.dropFirst(separator.count)
    }
}
