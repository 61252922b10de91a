import SwiftSyntax

/// Adds the mutants of one file to it: each behind a switch, without moving a line.
///
/// A mutant's alternative contains the unchanged operands, since no other mutant is enabled with it; only the original keeps the
/// mutants of its operands.
final class MutationRewriter: SyntaxRewriter {
    private let file: String
    private let converter: SourceLocationConverter
    /// The lines that get fewer mutants, since those that they had did not compile.
    private let exclusions: [Int: Exclusion]
    private(set) var nextID: Int
    /// In an initializer no statement is removed: most of them initialize a property, which the compiler insists on.
    private var isInInitializer = false
    /// Within the initial value of a property that is computed once.
    private var isInInitialValue = false
    /// Within a long table of literals.
    private var isInTable = false
    /// Local names that get their value after their declaration: such an assignment stays, too.
    private let assignedLater: Set<String>
    private let written: [WrittenChange]
    private let isWanted: (Mutant) -> Bool
    /// The places of written changes that have been found.
    private var entered: Set<Range<AbsolutePosition>> = []
    private(set) var mutants: [Mutant] = []
    /// The mutants of excluded lines.
    private var excluded: [Mutant] = []
    /// All mutants, numbered among the same changes of the file, and those of lines that are not excluded.
    ///
    /// An excluded mutant counts among the same changes, so that the others keep their numbers.
    var numbered: (all: [Mutant], compiled: [Mutant]) {
        let all = (mutants + excluded).numbered()
        let compiled = Set(mutants.map(\.id))
        return (all, all.filter { compiled.contains($0.id) })
    }

    init(
        file: String,
        tree: SourceFileSyntax,
        firstID: Int,
        exclusions: [Int: Exclusion],
        written: [WrittenChange] = [],
        where isWanted: @escaping (Mutant) -> Bool = { _ in true }
    ) {
        self.file = file
        (self.written, self.isWanted) = (written, isWanted)
        converter = SourceLocationConverter(fileName: file, tree: tree)
        self.exclusions = Self.widened(exclusions, tree, converter)
        nextID = firstID
        let names = LateNames(viewMode: .sourceAccurate)
        names.walk(tree)
        assignedLater = names.found
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Written changes

    override func visitAny(_ node: Syntax) -> Syntax? {
        guard !written.isEmpty, let expression = node.as(ExprSyntax.self) else { return nil }
        let text = WrittenChange.onOneLine(expression.trimmedDescription)
        let changes = written.filter { $0.original == text }
        // A node with a single child has the same text as the child.
        guard !changes.isEmpty, !isAssigned(expression), entered.insert(node.trimmedRange).inserted,
            let inner = rewrite(node).as(ExprSyntax.self)
        else { return nil }
        return Syntax(switched(expression, inner, changes.map(Alternative.init)))
    }

    /// Whether something is assigned to the expression, or it is a closure behind a call, neither of which can be switched.
    private func isAssigned(_ node: ExprSyntax) -> Bool {
        if node.is(ClosureExprSyntax.self) { return true }
        guard let infix = node.parent?.as(InfixOperatorExprSyntax.self) else { return false }
        return infix.operator.is(AssignmentExprSyntax.self) && infix.leftOperand.id == node.id
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
        switched(
            ExprSyntax(node),
            ExprSyntax(node),
            [Alternative(.constant, Self.successor(node.literal.text))]
        )
    }

    /// The next number as a literal; a sum would be one more operator for the compiler to choose.
    private static func successor(_ literal: String) -> String {
        let digits = literal.filter { $0 != "_" }.lowercased()
        let prefixes = [("0x", 16), ("0o", 8), ("0b", 2)]
        let (prefix, radix) = prefixes.first { digits.hasPrefix($0.0) } ?? ("", 10)
        guard let value = UInt64(digits.dropFirst(prefix.count), radix: radix), value < .max else {
            return "\(literal) + 1"
        }
        return prefix + String(value + 1, radix: radix)
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
            !isInTable,
            let id = add(
                Alternative(.removal, ""),
                at: Syntax(item),
                original: expression.trimmedDescription,
                replacement: ""
            )
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
        node.count > 4 ? inTable { super.visit(node) } : super.visit(node)
    }

    override func visit(_ node: DictionaryElementListSyntax) -> DictionaryElementListSyntax {
        node.count > 4 ? inTable { super.visit(node) } : super.visit(node)
    }

    /// Rewrites a part of the file in which only written changes are made.
    private func inTable<Node>(_ rewritten: () -> Node) -> Node {
        let outer = isInTable
        isInTable = true
        defer { isInTable = outer }
        return rewritten()
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
        /// The number of a written change.
        var id: Int?

        init(_ change: MutationOperator, _ text: String) { (self.change, self.text) = (change, text) }

        init(_ written: WrittenChange) { (change, text, id) = (.written, written.replacement, written.id) }

        /// An expression in parentheses; with its type if that is known, so that the compiler looks at each by itself.
        func inParentheses(_ text: String) -> String {
            change.isOfConditions ? "((\(text)) as Bool)" : "(\(text))"
        }
    }

    /// The expression with its alternatives in front, each behind its switch.
    private func switched(_ node: ExprSyntax, _ rewritten: ExprSyntax, _ alternatives: [Alternative])
        -> ExprSyntax
    {
        let alternatives = isInTable ? alternatives.filter { $0.change == .written } : alternatives
        let original = node.trimmedDescription
        // `try` and `await` may not stand to the right of an operator.
        let words = original.split { !$0.isLetter }
        guard !words.contains("try"), !words.contains("await") else { return rewritten }
        var front = ""
        for alternative in alternatives {
            let shown = alternative.id == nil ? Self.onOneLine(original) : WrittenChange.onOneLine(original)
            guard let text = Self.onOneLine(alternative.text), let shown,
                let id = add(alternative, at: Syntax(node), original: shown, replacement: text)
            else { continue }
            front += "mutated(\(id)) ? \(alternative.inParentheses(text)) : "
        }
        guard !front.isEmpty, let first = alternatives.first else { return rewritten }
        let last = first.inParentheses(rewritten.trimmedDescription)
        var result = Self.verbatim("(\(front)\(last))")
        result.leadingTrivia = rewritten.leadingTrivia
        result.trailingTrivia = rewritten.trailingTrivia
        return result
    }

    /// Joins the lines of an expression, so that an alternative moves no line; `nil` where a line's end has a meaning.
    private static func onOneLine(_ text: String) -> String? {
        guard text.contains(where: \.isNewline) else { return text.contains("//") ? nil : text }
        guard !["//", "\"\"\"", "{"].contains(where: text.contains) else { return nil }
        return text.split(whereSeparator: \.isNewline).map { line in
            String(line.drop(while: \.isWhitespace))
        }.joined(separator: " ")
    }

    /// Text as an expression: it is only printed, so it need not be parsed.
    private static func verbatim(_ text: String) -> ExprSyntax {
        ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(text)))
    }

    /// Adds a mutant; nil where one of its lines is excluded, and for one that is not wanted.
    private func add(_ alternative: Alternative, at node: Syntax, original: String, replacement: String)
        -> Int?
    {
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        let end = converter.location(for: node.endPositionBeforeTrailingTrivia).line
        // An excluded mutant keeps its number, so that the others do, and their files need not be compiled again.
        let id = alternative.id ?? nextID
        if alternative.id == nil { nextID += 1 }
        let exclusion = (line...end).compactMap { exclusions[$0] }.max()
        let shown = original.split(whereSeparator: \.isNewline).map { String($0) }.joined(separator: " ")
        let mutant = Mutant(
            id: id,
            file: file,
            line: line,
            change: alternative.change,
            original: shown,
            replacement: replacement,
            isInitial: isInInitialValue
        )
        guard isWanted(mutant) else { return nil }
        if let exclusion, exclusion > .others || !alternative.change.isOfConditions {
            excluded.append(mutant)
            return nil
        }
        mutants.append(mutant)
        return id
    }
}

extension MutationRewriter {
    /// Adds the lines of the whole statement to those of which even the mutants of the line itself were not the reason.
    private static func widened(
        _ exclusions: [Int: Exclusion],
        _ tree: SourceFileSyntax,
        _ converter: SourceLocationConverter
    ) -> [Int: Exclusion] {
        var result = exclusions
        for line in exclusions.keys where exclusions[line] == .statement {
            let finder = StatementFinder(line: line, converter: converter)
            finder.walk(tree)
            for other in finder.found ?? line...line { result[other] = .statement }
        }
        return result
    }
}

extension MutationOperator {
    /// Whether both what is changed and what it becomes are conditions.
    fileprivate var isOfConditions: Bool {
        switch self {
        case .boundary, .equality, .connective, .negation, .omission: true
        case .arithmetic, .fallback, .constant, .truth, .branches, .choice, .removal, .written: false
        }
    }
}

/// Finds the lines of the innermost statement or member around a line.
private final class StatementFinder: SyntaxVisitor {
    private let line: Int
    private let converter: SourceLocationConverter
    private(set) var found: ClosedRange<Int>?

    init(line: Int, converter: SourceLocationConverter) {
        (self.line, self.converter) = (line, converter)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind { look(at: Syntax(node)) }

    override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind { look(at: Syntax(node)) }

    private func look(at node: Syntax) -> SyntaxVisitorContinueKind {
        let begin = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        let end = converter.location(for: node.endPositionBeforeTrailingTrivia).line
        guard (begin...end).contains(line) else { return .skipChildren }
        found = begin...end
        return .visitChildren
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
