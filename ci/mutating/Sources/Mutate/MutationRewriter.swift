import SwiftSyntax

/// Adds the mutants of one file to it: each behind a switch, without moving a line.
///
/// A mutant's alternative contains the unchanged operands, since no other mutant is enabled with it; only the original keeps the
/// mutants of its operands.
final class MutationRewriter: SyntaxRewriter {
    private let file: String
    private let converter: SourceLocationConverter
    /// The lines whose mutants are all left out, since a mutant there does not compile.
    private let excludedLines: Set<Int>
    private(set) var nextID: Int
    /// In an initializer no statement is removed: most of them initialize a property, which the compiler insists on.
    private var isInInitializer = false
    /// Within the initial value of a property that is computed once.
    private var isInInitialValue = false
    /// Local names that get their value after their declaration: such an assignment stays, too.
    private let assignedLater: Set<String>
    private(set) var mutants: [Mutant] = []

    init(file: String, tree: SourceFileSyntax, firstID: Int, excludedLines: Set<Int>) {
        self.file = file
        converter = SourceLocationConverter(fileName: file, tree: tree)
        self.excludedLines = excludedLines
        nextID = firstID
        let names = LateNames(viewMode: .sourceAccurate)
        names.walk(tree)
        assignedLater = names.found
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Expressions

    override func visit(_ node: InfixOperatorExprSyntax) -> ExprSyntax {
        let rewritten = super.visit(node)
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            return rewritten
        }
        let left = node.leftOperand.trimmedDescription
        let right = node.rightOperand.trimmedDescription
        let alternatives: [Alternative] =
            switch symbol {
            case "<", "<=", ">", ">=":
                [Alternative(.boundary, "\(left) \(Self.boundaries[symbol] ?? symbol) \(right)")]
            case "==": [Alternative(.equality, "\(left) != \(right)")]
            case "!=": [Alternative(.equality, "\(left) == \(right)")]
            case "&&", "||":
                [
                    Alternative(.connective, "\(left) \(symbol == "&&" ? "||" : "&&") \(right)"),
                    Alternative(.omission, left), Alternative(.omission, right),
                ]
            case "-": [Alternative(.arithmetic, "\(left) + \(right)")]
            case "+" where node.rightOperand.is(IntegerLiteralExprSyntax.self):
                [Alternative(.arithmetic, "\(left) - \(right)")]
            case "??": [Alternative(.fallback, right)]
            default: []
            }
        return switched(ExprSyntax(node), rewritten, alternatives)
    }

    private static let boundaries = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]

    override func visit(_ node: TernaryExprSyntax) -> ExprSyntax {
        let (first, second) = (node.thenExpression.trimmedDescription, node.elseExpression.trimmedDescription)
        let swapped = "\(node.condition.trimmedDescription) ? \(second) : \(first)"
        return switched(ExprSyntax(node), super.visit(node), [Alternative(.branches, swapped)])
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> ExprSyntax {
        let opposite = node.literal.text == "true" ? "false" : "true"
        return switched(ExprSyntax(node), ExprSyntax(node), [Alternative(.truth, opposite)])
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> ExprSyntax {
        switched(ExprSyntax(node), ExprSyntax(node), [Alternative(.constant, "\(node.literal.text) + 1")])
    }

    override func visit(_ node: FunctionCallExprSyntax) -> ExprSyntax {
        let rewritten = super.visit(node)
        let name = node.calledExpression.trimmedDescription
        guard let other = ["min": "max", "max": "min"][name] else { return rewritten }
        let text = other + node.trimmedDescription.dropFirst(name.count)
        return switched(ExprSyntax(node), rewritten, [Alternative(.choice, text)])
    }

    // MARK: Conditions

    override func visit(_ node: IfExprSyntax) -> ExprSyntax {
        guard var rewritten = super.visit(node).as(IfExprSyntax.self) else { return ExprSyntax(node) }
        rewritten.conditions = conditions(of: node.conditions, rewritten: rewritten.conditions)
        return ExprSyntax(rewritten)
    }

    override func visit(_ node: GuardStmtSyntax) -> StmtSyntax {
        guard var rewritten = super.visit(node).as(GuardStmtSyntax.self) else { return StmtSyntax(node) }
        rewritten.conditions = conditions(of: node.conditions, rewritten: rewritten.conditions)
        return StmtSyntax(rewritten)
    }

    private func conditions(
        of original: ConditionElementListSyntax,
        rewritten: ConditionElementListSyntax
    ) -> ConditionElementListSyntax {
        ConditionElementListSyntax(
            zip(original, rewritten).map { element, result in
                guard case .expression(let condition) = element.condition,
                    case .expression(let inner) = result.condition
                else { return result }
                var result = result
                let text = condition.trimmedDescription
                var alternatives = [Alternative(.omission, "true")]
                // Its own mutant already is the opposite of an equality.
                if !isEquality(condition) { alternatives.append(Alternative(.negation, "!(\(text))")) }
                result.condition = .expression(switched(condition, inner, alternatives))
                return result
            }
        )
    }

    private func isEquality(_ condition: ExprSyntax) -> Bool {
        let symbol = condition.as(InfixOperatorExprSyntax.self)?.operator.as(BinaryOperatorExprSyntax.self)?
            .operator.text
        return symbol == "==" || symbol == "!="
    }

    // MARK: Initial values

    override func visit(_ node: VariableDeclSyntax) -> DeclSyntax {
        guard isComputedOnce(node) else { return super.visit(node) }
        let outer = isInInitialValue
        isInInitialValue = true
        defer { isInInitialValue = outer }
        return super.visit(node)
    }

    private func isComputedOnce(_ node: VariableDeclSyntax) -> Bool {
        // An accessor is executed each time.
        guard node.bindings.allSatisfy({ $0.accessorBlock == nil }) else { return false }
        let modifiers = node.modifiers.map(\.name.text)
        let isGlobal = node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        return isGlobal || modifiers.contains("static") || modifiers.contains("lazy")
    }

    // MARK: Statements

    override func visit(_ node: InitializerDeclSyntax) -> DeclSyntax {
        isInInitializer = true
        defer { isInInitializer = false }
        return super.visit(node)
    }

    override func visit(_ node: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
        let rewritten = super.visit(node)
        guard !isInInitializer, !isImplicitReturn(node) else { return rewritten }
        return CodeBlockItemListSyntax(zip(node, rewritten).map { removable($0, rewritten: $1) })
    }

    /// Whether the only statement of the block may be its value.
    private func isImplicitReturn(_ node: CodeBlockItemListSyntax) -> Bool {
        guard node.count == 1 else { return node.parent?.is(SourceFileSyntax.self) == true }
        if let function = node.parent?.parent?.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause != nil
        }
        let isBranch =
            node.parent?.parent?.is(IfExprSyntax.self) == true
            || node.parent?.parent?.is(ForStmtSyntax.self) == true
        return !isBranch
    }

    private func removable(_ item: CodeBlockItemSyntax, rewritten: CodeBlockItemSyntax) -> CodeBlockItemSyntax
    {
        guard case .expr(let expression) = item.item, isAction(expression),
            let id = add(.removal, at: Syntax(item), original: expression.trimmedDescription, replacement: "")
        else { return rewritten }
        var result = rewritten
        let text = "if !mutated(\(id)) { \(rewritten.item.trimmedDescription) }"
        result.item = .expr(Self.verbatim(text))
        result.leadingTrivia = rewritten.leadingTrivia
        result.trailingTrivia = rewritten.trailingTrivia
        return result
    }

    /// Whether the expression is a call or an assignment, and nothing that the compiler or the reader relies on.
    private func isAction(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) { return isAction(attempt.expression) }
        if let waiting = expression.as(AwaitExprSyntax.self) { return isAction(waiting.expression) }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            let name = call.calledExpression.trimmedDescription
            return !["precondition", "preconditionFailure", "assert", "fatalError", "assertionFailure"]
                .contains(name)
                && !name.hasPrefix("super.") && !name.hasSuffix("self.init") && name != "withExtendedLifetime"
        }
        guard let infix = expression.as(InfixOperatorExprSyntax.self),
            !assignedLater.contains(infix.leftOperand.trimmedDescription)
        else { return false }
        return infix.operator.is(AssignmentExprSyntax.self)
            || ["+=", "-=", "|=", "&="].contains(infix.operator.trimmedDescription)
    }

    // MARK: What stays as it is

    /// The compiler takes too long for long tables of alternatives.
    override func visit(_ node: ArrayElementListSyntax) -> ArrayElementListSyntax {
        node.count > 4 ? node : super.visit(node)
    }

    override func visit(_ node: DictionaryElementListSyntax) -> DictionaryElementListSyntax {
        node.count > 4 ? node : super.visit(node)
    }

    override func visit(_ node: EnumCaseElementSyntax) -> EnumCaseElementSyntax { node }
    override func visit(_ node: AttributeSyntax) -> AttributeSyntax { node }
    override func visit(_ node: IfConfigDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: SwitchCaseLabelSyntax) -> SwitchCaseLabelSyntax { node }
    override func visit(_ node: ExpressionPatternSyntax) -> PatternSyntax { PatternSyntax(node) }
    override func visit(_ node: WhileStmtSyntax) -> StmtSyntax {
        var result = node
        result.body = rewrite(node.body).cast(CodeBlockSyntax.self)
        return StmtSyntax(result)
    }

    // MARK: Switches

    private struct Alternative {
        let change: MutationOperator
        let text: String

        init(_ change: MutationOperator, _ text: String) { (self.change, self.text) = (change, text) }
    }

    /// The expression with its alternatives in front, each behind its switch.
    private func switched(_ node: ExprSyntax, _ rewritten: ExprSyntax, _ alternatives: [Alternative])
        -> ExprSyntax
    {
        let original = node.trimmedDescription
        // `try` and `await` may not stand to the right of an operator.
        let words = original.split { !$0.isLetter }
        guard !words.contains("try"), !words.contains("await") else { return rewritten }
        var front = ""
        for alternative in alternatives {
            let id = add(
                alternative.change,
                at: Syntax(node),
                original: original,
                replacement: alternative.text
            )
            if let id { front += "mutated(\(id)) ? (\(alternative.text)) : " }
        }
        guard !front.isEmpty else { return rewritten }
        var result = Self.verbatim("(\(front)(\(rewritten.trimmedDescription)))")
        result.leadingTrivia = rewritten.leadingTrivia
        result.trailingTrivia = rewritten.trailingTrivia
        return result
    }

    /// Text as an expression: it is only printed, so it need not be parsed.
    private static func verbatim(_ text: String) -> ExprSyntax {
        ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(text)))
    }

    /// Adds a mutant; nil where it would take more than a line, or where the line is left out.
    private func add(_ change: MutationOperator, at node: Syntax, original: String, replacement: String)
        -> Int?
    {
        let isShort = !original.contains("\n") && !original.contains("//") && !replacement.contains("\n")
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        let end = converter.location(for: node.endPositionBeforeTrailingTrivia).line
        guard isShort || change == .removal else { return nil }
        // An excluded mutant keeps its number, so that the others do, and their files need not be compiled again.
        defer { nextID += 1 }
        guard (line...end).allSatisfy({ !excludedLines.contains($0) }) else { return nil }
        let shown = original.split(whereSeparator: \.isNewline).map { String($0) }.joined(separator: " ")
        mutants.append(
            Mutant(
                id: nextID,
                file: file,
                line: line,
                change: change,
                original: shown,
                replacement: replacement,
                isInitial: isInInitialValue
            )
        )
        return nextID
    }
}

/// Collects the local names that are declared without a value.
private final class LateNames: SyntaxVisitor {
    private(set) var found: Set<String> = []

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.is(CodeBlockItemSyntax.self) == true else { return .visitChildren }
        for binding in node.bindings where binding.initializer == nil && binding.accessorBlock == nil {
            found.insert(binding.pattern.trimmedDescription)
        }
        return .visitChildren
    }
}
