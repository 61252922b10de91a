import Scenarios

extension CallerExpectation {
    /// Whether any response meets the expectation, leaving out the keys of `expect` that are not judged.
    func isEmpty(without unjudged: Set<String>) -> Bool {
        sources == nil && isStale == nil && statuses == nil && fields.isEmpty && body == nil && age == nil
            && errorCodes == nil && events == nil && chunks == nil && cacheStatus.isEmpty && isFound == nil
            && userInfo == nil && redirects == nil && took == nil
            && (findings == nil || unjudged.contains(ExpectKey.finding.rawValue))
    }
}
