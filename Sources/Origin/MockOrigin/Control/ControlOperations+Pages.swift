import ControlServing
import JSON
import LocatedYAML
import OriginScript

extension ControlOperations {
    var pageOperations: [ControlOperation] {
        [
            operation(
                .get("/pages"),
                "listPages",
                "Lists the pages, their settings and all possible settings.",
                answers: "ShownPages"
            ) {
                request throws(ControlProblem) in
                .json(Self.pages(try namespace(request)))
            },
            operation(
                .put("/pages"),
                "setPages",
                "Replaces all settings of each page that is named.",
                answers: "ShownPages"
            ) {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                let settings = try Self.settings(request.json())
                try namespace.change { site throws(ControlProblem) in
                    site.pages.merge(settings) { _, new in new }
                }
                return .json(Self.pages(namespace))
            }.with { $0.content = .schema("Pages") },
        ]
    }

    /// Decodes pages in the format of a site file.
    private static func settings(_ node: YAMLNode) throws(ControlProblem) -> [String: [PageSetting]] {
        let problems = ProblemCollector()
        if node.pairs == nil {
            problems.add(node, expected: "a map of pages to their settings")
        }
        var settings: [String: [PageSetting]] = [:]
        for pair in node.pairs ?? [] { settings[pair.key] = SiteFile.page(pair, problems) }
        do throws(YAMLProblems) { try problems.throwIfAny() } catch { throw ControlProblem(error) }
        return settings
    }

    private static func pages(_ namespace: OriginNamespace) -> JSONValue {
        let settings = namespace.progress.site.pages
        let pages = DemoSite.paths.map { path in
            let own = (settings[path] ?? []).map { ($0.name, JSONValue.string($0.value)) }
            return (path, JSONValue.object(own))
        }
        let known = PageSetting.expectations.map { ($0.name, JSONValue.string($0.expected)) }
        return ["pages": .object(pages), "settings": .object(known)]
    }
}
