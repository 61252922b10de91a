extension AuditRule {
    /// Rules about getting a response at all.
    static let ofRequests: [AuditRule] = [
        AuditRule(
            "redirect-loop",
            .error,
            "a cycle of redirects",
            "RFC 9110 §15.4",
            "A client SHOULD detect and intervene in cyclical redirections"
        ),
        AuditRule("redirect-to-private", .error, "a redirect to a private address", "RFC 9110 §17.1"),
        AuditRule("redirect-chain", .advice, "a long chain of redirects", "RFC 9110 §15.4"),
        AuditRule("broken-redirect", .error, "a redirect that cannot be followed", "RFC 9110 §10.2.2"),
        AuditRule("error-response", .error, "an error instead of the usual response", "RFC 9110 §15.5"),
    ]

    /// Rules about a policy and what it ignores.
    static let ofPolicies: [AuditRule] = [
        AuditRule("policy", .error, "an expectation of the policy", "policy"),
        AuditRule("rule-unmatched", .warning, "a rule of the policy that matches no URL", "policy"),
        AuditRule("ignore-expired", .error, "an exception that has expired", "policy"),
        AuditRule("ignore-unmatched", .error, "an exception that matches no URL", "policy"),
        AuditRule("ignore-unnecessary", .error, "an exception that ignores nothing", "policy"),
        AuditRule(
            "baseline-unmatched",
            .error,
            "an accepted finding of a URL that was not audited",
            "baseline"
        ),
        AuditRule("baseline-unnecessary", .error, "an accepted finding that is gone", "baseline"),
    ]
}
