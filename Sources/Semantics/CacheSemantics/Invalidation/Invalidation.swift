internal import HTTPTypes

extension Settling {
    /// Invalidates stored responses after a non-error response to an unsafe request (§4.4).
    mutating func invalidate(after response: HTTPResponse) {
        guard response.status.isNonError else {
            trace.note(.errorInvalidatesNothing, true, .named("status", String(response.status.code)))
            return
        }
        let target = invalidateTarget()
        invalidate(response.headerFields[.location], of: target, .locationInvalidated)
        invalidate(response.headerFields[.contentLocation], of: target, .contentLocationInvalidated)
        invalidateGroups(after: response, of: target)
    }

    /// Invalidates what is stored for the target URI of an unsafe request, and returns the URI.
    @discardableResult
    mutating func invalidateTarget() -> TargetURI {
        trace.note(
            request.method.safety == .unknown ? .unknownMethodInvalidates : .unsafeInvalidates,
            true,
            .named("method", request.method.rawValue)
        )
        // Not the key of the plan, because responses are stored under the key of a request without content.
        let target = TargetURI(request)
        edits.append(.invalidate(CacheKey(targetURI: target.text)))
        return target
    }

    private mutating func invalidate(_ reference: String?, of target: TargetURI, _ rule: Rule) {
        guard let reference else { return }
        guard let uri = target.resolving(reference), uri.origin == target.origin else {
            trace.note(.otherOriginKept, true, .named("another origin:", reference))
            return
        }
        guard uri != target else { return }
        trace.note(rule, true, .named("invalidates", uri.text))
        edits.append(.invalidate(CacheKey(targetURI: uri.text)))
    }
}
