import Scenarios

extension CallerExpectation {
    /// Whether any response meets the expectation.
    var isEmpty: Bool {
        sources == nil && isStale == nil && statuses == nil && fields.isEmpty && body == nil && age == nil
            && errorCode == nil && events == nil && chunks == nil && cacheStatus.isEmpty && isFound == nil
            && userInfo == nil && redirects == nil && took == nil && findings == nil
    }
}
