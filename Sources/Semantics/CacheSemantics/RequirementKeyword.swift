/// The word by which a sentence of a specification requires or allows something (RFC 2119, RFC 8174).
public enum RequirementKeyword: String, Sendable, Hashable, CaseIterable {
    case must = "MUST"
    case mustNot = "MUST NOT"
    case shall = "SHALL"
    case required = "REQUIRED"
    case should = "SHOULD"
    case shouldNot = "SHOULD NOT"
    case recommended = "RECOMMENDED"
    /// Words of recommendation in lower case, which RFC 8174 takes for ordinary English.
    case recommendedInLowerCase = "should"
    case ought
    case encouraged
    case may = "MAY"
    case optional = "OPTIONAL"
    /// No such word: a definition or a description, which requires something wherever the result can be seen.
    case definition

    /// The strictest level that a scenario may have for such a sentence.
    ///
    /// A definition is as binding as what uses it: an age that is calculated otherwise is no current age.
    public var level: RuleLevel {
        switch self {
        case .must, .mustNot, .shall, .required, .definition: .must
        case .should, .shouldNot,
            .recommended, .recommendedInLowerCase, .ought, .encouraged:
            .should
        case .may, .optional: .optimal
        }
    }
}
