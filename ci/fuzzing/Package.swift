// swift-tools-version: 6.2

import PackageDescription

// Built by ci/fuzz with libFuzzer's runtime and coverage; no part of a usual build.
func fuzz(_ name: String, _ products: [String]) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["FuzzInput"] + products.map { .product(name: $0, package: "cachecheck") },
        swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    )
}

let package = Package(
    name: "fuzzing",
    dependencies: [.package(name: "cachecheck", path: "../..")],
    targets: [
        .target(name: "FuzzInput", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        fuzz("AnimatedContent", ["AnimatedImages"]),
        fuzz("AuditArchives", ["Audit"]),
        fuzz("AuditText", ["Audit"]),
        fuzz("CacheSemanticsFields", ["CacheSemantics"]),
        fuzz("ControlBodies", ["MockOrigin"]),
        fuzz("DriverLines", ["Conformance"]),
        fuzz("ExplanationInputs", ["Conformance", "CacheSemantics"]),
        fuzz("FaultText", ["MockOrigin"]),
        fuzz("FetchedContent", ["Fetching"]),
        fuzz("HARImport", ["Recording"]),
        fuzz("ImageHeaders", ["ImageLoading"]),
        fuzz("JSONText", ["Scenarios"]),
        fuzz("MultipartContent", ["MockOrigin"]),
        fuzz("PageQueries", ["MockOrigin"]),
        fuzz("ProxyMessages", ["FaultProxy"]),
        fuzz("ProxyRules", ["FaultProxy"]),
        fuzz("PublicSuiteJSON", ["Conformance"]),
        fuzz("RecordedContent", ["Recording", "MockOrigin"]),
        fuzz("ResponseHeads", ["CacheClient"]),
        fuzz("ScenarioText", ["StackScenarios"]),
        fuzz("SiteText", ["MockOrigin"]),
        fuzz("StreamChunks", ["MockOrigin"]),
        fuzz("StreamHeads", ["MockOrigin"]),
        fuzz("ToxiproxyBodies", ["FaultProxy"]),
        fuzz("WholeResponses", ["CacheClient"]),
        fuzz("YAMLText", ["Scenarios"]),
    ]
)
