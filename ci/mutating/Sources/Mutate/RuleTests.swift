import Foundation
import SwiftParser
import SwiftSyntax

/// A test function and the rules that its trait `.checks` names.
struct RuleTest: Sendable, Hashable {
    /// The module of the test.
    let target: String
    /// The names of the types around it, joined by `/`.
    let suite: String
    /// The function's name without its parameters.
    let function: String
    let rules: [String]

    var name: String { "\(target).\(suite)/\(function)" }

    /// What selects this function, whatever its parameters.
    var filter: String { "^\(target)\\.\(suite)/\(function)\\(" }

    /// Reads the tests below a folder, in which each folder whose name ends in `Tests` is a target.
    static func all(below folder: String) throws -> [RuleTest] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return try names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path -> [RuleTest] in
            guard let target = path.split(separator: "/").first(where: { $0.hasSuffix("Tests") }) else {
                return []
            }
            let source = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            // Parsing takes most of the time.
            return source.contains(".checks(") ? all(in: source, target: String(target)) : []
        }
    }

    static func all(in source: String, target: String) -> [RuleTest] {
        let visitor = RuleTestVisitor(target: target)
        visitor.walk(Parser.parse(source: source))
        return visitor.found
    }
}

private final class RuleTestVisitor: SyntaxVisitor {
    private let target: String
    /// The types around the visited declaration, with the rules that their suites name.
    private var types: [(name: String, rules: [String])] = []
    private(set) var found: [RuleTest] = []

    init(target: String) {
        self.target = target
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text, node.attributes)
    }

    override func visitPost(_: StructDeclSyntax) { types.removeLast() }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text, node.attributes)
    }

    override func visitPost(_: ClassDeclSyntax) { types.removeLast() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription, node.attributes)
    }

    override func visitPost(_: ExtensionDeclSyntax) { types.removeLast() }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let rules = types.flatMap(\.rules) + Self.rules(in: node.attributes)
        if !rules.isEmpty, !types.isEmpty, Self.has("Test", node.attributes) {
            let suite = types.map(\.name).joined(separator: "/")
            found.append(
                RuleTest(target: target, suite: suite, function: node.name.text, rules: rules)
            )
        }
        return .skipChildren
    }

    private func enter(_ name: String, _ attributes: AttributeListSyntax) -> SyntaxVisitorContinueKind {
        types.append((name, Self.rules(in: attributes)))
        return .visitChildren
    }

    private static func has(_ name: String, _ attributes: AttributeListSyntax) -> Bool {
        attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == name }
    }

    /// The texts of the arguments of `.checks`.
    private static func rules(in attributes: AttributeListSyntax) -> [String] {
        var rules: [String] = []
        for attribute in attributes {
            guard
                let arguments = attribute.as(AttributeSyntax.self)?.arguments?.as(LabeledExprListSyntax.self)
            else { continue }
            for argument in arguments {
                guard let call = argument.expression.as(FunctionCallExprSyntax.self),
                    call.calledExpression.trimmedDescription == ".checks"
                else { continue }
                for id in call.arguments {
                    let text: String = id.expression.trimmedDescription
                    rules.append(String(text.filter { $0 != "\"" }))
                }
            }
        }
        return rules
    }
}
