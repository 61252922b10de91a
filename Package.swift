// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(
    _ name: String,
    in layer: String,
    _ dependencies: [Target.Dependency] = [],
    excluding files: [String] = [],
    settings: [SwiftSetting] = [],
    plugins: [Target.PluginUsage]? = nil
) -> Target {
    // The files are data: the plugin makes strings of those that are listed in GenerateSources, ci/rules reads rules.toml.
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/\(layer)/\(name)",
        exclude: files,
        swiftSettings: strict + settings,
        plugins: plugins
    )
}

func tests(_ name: String, in layer: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: [.byName(name: name)] + dependencies,
        path: "Tests/\(layer)/\(name)Tests",
        swiftSettings: strict
    )
}

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let observability = TargetDependencyCondition.when(traits: ["Observability"])

let package = Package(
    name: "cachecheck",
    // Exports.swift of each product re-exports the modules of its interface; ci/lint compares them.
    products: [
        .library(name: "CacheSemantics", targets: ["CacheSemantics"]),
        .library(name: "Explanation", targets: ["Explanation"]),
        .library(name: "CacheStorage", targets: ["CacheStorage"]),
        .library(name: "CacheClient", targets: ["CacheClient"]),
        .library(name: "CacheClientFoundation", targets: ["CacheClientFoundation"]),
        .library(name: "CacheObservability", targets: ["CacheObservability"]),
        .library(name: "Fetching", targets: ["Fetching"]),
        .library(name: "ImageLoading", targets: ["ImageLoading"]),
        .library(name: "AnimatedImages", targets: ["AnimatedImages"]),
        .library(name: "CacheGateway", targets: ["CacheGateway"]),
        .library(name: "Recording", targets: ["Recording"]),
        .library(name: "OriginScript", targets: ["OriginScript"]),
        .library(name: "MockOrigin", targets: ["MockOrigin"]),
        .library(name: "FaultProxy", targets: ["FaultProxy"]),
        .library(name: "MockOriginTesting", targets: ["MockOriginTesting"]),
        .library(name: "Scenarios", targets: ["Scenarios"]),
        .library(name: "Conformance", targets: ["Conformance"]),
        .library(name: "StackScenarios", targets: ["StackScenarios"]),
        .library(name: "Clocks", targets: ["Clocks"]),
        .library(name: "Audit", targets: ["Audit"]),
        .executable(name: "cachecheck", targets: ["cachecheck"]),
    ],
    traits: [
        .trait(
            name: "Observability",
            description: "CacheObservability, which logs with swift-log and counts with swift-metrics."
        )
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Resolved only with the trait Observability.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        // System
        .systemLibrary(
            name: "Cbrotli",
            path: "Sources/System/Cbrotli",
            pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"])]
        ),
        .systemLibrary(
            name: "Ccurl",
            path: "Sources/System/Ccurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "Cgif",
            path: "Sources/System/Cgif",
            providers: [.apt(["libgif-dev"])]
        ),
        .systemLibrary(
            name: "Cgnutls",
            path: "Sources/System/Cgnutls",
            pkgConfig: "gnutls",
            providers: [.apt(["libgnutls28-dev"])]
        ),
        .systemLibrary(name: "Cepoll", path: "Sources/System/Cepoll"),
        .systemLibrary(name: "Cmalloc", path: "Sources/System/Cmalloc"),
        .systemLibrary(
            name: "Cmicrohttpd",
            path: "Sources/System/Cmicrohttpd",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(name: "Cnetlink", path: "Sources/System/Cnetlink"),
        .systemLibrary(
            name: "Cpng",
            path: "Sources/System/Cpng",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]
        ),
        .systemLibrary(
            name: "Cwebp",
            path: "Sources/System/Cwebp",
            pkgConfig: "libwebpdemux",
            providers: [.apt(["libwebp-dev"])]
        ),
        .systemLibrary(
            name: "Cturbojpeg",
            path: "Sources/System/Cturbojpeg",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]
        ),
        .systemLibrary(name: "Cstatx", path: "Sources/System/Cstatx"),
        .systemLibrary(name: "Cxattr", path: "Sources/System/Cxattr"),
        .systemLibrary(
            name: "Cxml2",
            path: "Sources/System/Cxml2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .systemLibrary(
            name: "Czlib",
            path: "Sources/System/Czlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "Czstd",
            path: "Sources/System/Czstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"])]
        ),
        // Support
        library("Addresses", in: "Support", ["CLibrary"]),
        library("CLibrary", in: "Support"),
        library("JSON", in: "Support"),
        library("LocatedYAML", in: "Support", ["JSON", "Yams"]),
        library("TextCodings", in: "Support"),
        library("WireSyntax", in: "Support"),
        library("HTTPArchive", in: "Support", ["JSON", "LocatedYAML", "TextCodings", "WireSyntax"]),
        library("Threads", in: "Support", ["CLibrary", "Locks"]),
        library("Clocks", in: "Support", ["CLibrary", "Locks", "Threads"]),
        library("Locks", in: "Support", ["CLibrary"]),
        library("FileReading", in: "Support", ["CLibrary"]),
        library("MarkupParsing", in: "Support", ["Cxml2"]),
        library("FileWatching", in: "Support", ["CLibrary", "Locks", "Threads"]),
        library(
            "BundledFiles",
            in: "Support",
            ["CLibrary", "Czlib", "FileReading", "TextCodings"],
            plugins: ["GenerateSources"]
        ),
        // Semantics
        library(
            "CacheSemantics",
            in: "Semantics",
            [
                httpTypes,
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            excluding: ["rules.toml"]
        ),
        library(
            "Explanation",
            in: "Semantics",
            ["CacheSemantics", "HTTPArchive", "LocatedYAML", "WireSyntax", httpTypes]
        ),
        // Serving
        library(
            "HTTPServing",
            in: "Serving",
            [
                "Cepoll", "Certificates", "CLibrary", "Cmicrohttpd", "Cgnutls", "Clocks", "FileReading",
                "Locks",
                "TextCodings",
                "Threads",
                "WireSyntax",
            ]
        ),
        library(
            "ControlServing",
            in: "Serving",
            [
                "Clocks", "HTTPServing", "JSON", "LocatedYAML", "TextCodings", "Threads",
                "WireSyntax",
            ],
            excluding: ["Page/base.css", "Page/base.js"],
            plugins: ["GenerateSources"]
        ),
        library("Certificates", in: "Serving", ["CLibrary", "Cgnutls", "FileReading"]),
        // Client
        library(
            "CacheStorage",
            in: "Client",
            [
                "CacheSemantics", "CLibrary", "Clocks", "FileWatching", "Locks", httpTypes,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        library(
            "CacheClient",
            in: "Client",
            [
                "Addresses", "CacheSemantics", "CacheStorage", "Ccurl", "Cepoll", "CLibrary", "Czlib",
                "Clocks",
                "Locks", "TextCodings", "Threads",
                httpTypes,
            ]
        ),
        library(
            "CacheClientFoundation",
            in: "Client",
            ["CacheClient", "CacheSemantics", "Clocks", httpTypes]
        ),
        // Origin
        library(
            "OriginScript",
            in: "Origin",
            ["Clocks", "JSON", "LocatedYAML", "TextCodings", "WireSyntax"]
        ),
        library(
            "MockOrigin",
            in: "Origin",
            [
                "Certificates", "CLibrary", "ControlServing", "HTTPArchive", "HTTPServing", "JSON",
                "OriginScript", "LocatedYAML",
                "Czlib", "Cgnutls", "Clocks", "FileReading", "FileWatching", "Locks", "TextCodings",
                "Threads",
                "WireSyntax",
                httpTypes,
            ],
            excluding: ["Page/page.html", "Page/page.css", "Page/page.js"],
            plugins: ["GenerateSources"]
        ),
        library(
            "FaultProxy",
            in: "Origin",
            [
                "Addresses", "Certificates", "CLibrary", "Clocks", "ControlServing", "FileReading",
                "FileWatching",
                "HTTPArchive", "HTTPServing", "JSON",
                "LocatedYAML", "Locks", "MockOrigin", "OriginScript", "Threads", "WireSyntax",
            ],
            // Its tasks run on loops; otherwise they would look up their preferred executor at every asynchronous call.
            settings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        library(
            "MockOriginTesting",
            in: "Origin",
            ["Clocks", "FaultProxy", "HTTPServing", "MockOrigin", "OriginScript", httpTypes]
        ),
        // Gateway
        library(
            "CacheGateway",
            in: "Gateway",
            [
                "Addresses", "CacheClient", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks",
                "ControlServing",
                "HTTPServing", "JSON", "LocatedYAML", "Locks", "Threads", httpTypes,
            ],
            excluding: ["Page/gateway.html", "Page/gateway.css", "Page/gateway.js"],
            plugins: ["GenerateSources"]
        ),
        library(
            "CacheObservability",
            in: "Gateway",
            [
                "CacheClient", "CacheGateway", "Clocks", httpTypes,
                .product(name: "Logging", package: "swift-log", condition: observability),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: observability),
                .product(name: "Metrics", package: "swift-metrics", condition: observability),
            ]
        ),
        // Harness
        library(
            "Recording",
            in: "Harness",
            [
                "CacheClient", "CLibrary", "Clocks", "FaultProxy", "FileReading", "HTTPArchive",
                "HTTPServing", "JSON",
                "LocatedYAML",
                "Locks", "MockOrigin", "OriginScript", "TextCodings", "Threads", "WireSyntax", httpTypes,
            ]
        ),
        library(
            "Scenarios",
            in: "Harness",
            [
                "CacheSemantics", "Clocks", "FileReading", "JSON", "OriginScript", "LocatedYAML", "Locks",
                "TextCodings", "Threads",
            ]
        ),
        library(
            "Conformance",
            in: "Harness",
            [
                "BundledFiles", "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage",
                "Certificates",
                "CLibrary", "Clocks", "Explanation", "FileReading", "HTTPServing", "JSON", "LocatedYAML",
                "Locks",
                "MockOrigin", "OriginScript",
                "PublicSuite", "ReportFormats", "Scenarios", "TextCodings", "Threads", "WireSyntax",
                httpTypes,
            ],
            excluding: ["Reports/HTML/data.js", "Reports/HTML/report.js", "Reports/HTML/matrix.js"],
            plugins: ["GenerateSources"]
        ),
        library(
            "Audit",
            in: "Harness",
            [
                "Addresses", "CacheClient", "CacheSemantics", "Cbrotli", "Clocks", "Czstd",
                "Explanation", "HTTPArchive", "JSON", "LocatedYAML", "Locks", "MarkupParsing", "OriginScript",
                "ReportFormats", "TextCodings", "WireSyntax", httpTypes,
            ]
        ),
        library(
            "Lab",
            in: "Harness",
            [
                "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage", "Clocks", "ControlServing",
                "Explanation", "HTTPServing", "JSON", "LocatedYAML", "Locks", "MockOrigin", "OriginScript",
                httpTypes,
            ],
            excluding: ["Page/lab.html", "Page/lab.css", "Page/lab.js", "Page/lessons.yaml"],
            plugins: ["GenerateSources"]
        ),
        library(
            "ReportFormats",
            in: "Harness",
            ["JSON", "LocatedYAML", "OriginScript", "TextCodings"],
            excluding: ["report.css"],
            plugins: ["GenerateSources"]
        ),
        library("PublicSuite", in: "Harness", ["JSON", "LocatedYAML", "OriginScript", "WireSyntax"]),
        library(
            "Mutants",
            in: "Harness",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "Conformance", "JSON", "Locks",
                "ReportFormats", "Scenarios", httpTypes,
            ]
        ),
        // Stack
        library(
            "Fetching",
            in: "Stack",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Cepoll", "CLibrary", "Clocks", "Cnetlink",
                "FileReading",
                "JSON", "Locks", "MarkupParsing", "TextCodings", "Threads", httpTypes,
            ]
        ),
        library(
            "ImageLoading",
            in: "Stack",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks", "Cpng", "Cstatx",
                "Cturbojpeg", "Cxattr", "Fetching", "FileReading", "Locks", "Threads", httpTypes,
            ]
        ),
        library("AnimatedImages", in: "Stack", ["CacheSemantics", "Cgif", "Cwebp", "ImageLoading"]),
        library(
            "DocumentRules",
            in: "Stack",
            ["CacheSemantics", "LocatedYAML", "Scenarios"],
            excluding: ["document-rules.yaml"],
            plugins: ["GenerateSources"]
        ),
        library(
            "StackScenarios",
            in: "Stack",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks", "Conformance",
                "DocumentRules",
                "Fetching", "FileReading", "ImageLoading", "JSON", "LocatedYAML", "Locks", "MockOrigin",
                "OriginScript", "Scenarios", "TextCodings", httpTypes,
            ]
        ),
        // Tools
        .executableTarget(
            name: "cachecheck",
            dependencies: [
                "Addresses", "Audit", "BundledFiles", "CacheClient", "CacheGateway", "CacheSemantics",
                "CacheStorage",
                "CLibrary", "Clocks",
                "Conformance",
                "Certificates", "Cmalloc", "ControlServing", "Explanation", "FaultProxy", "FileReading",
                "FileWatching",
                "HTTPArchive",
                "HTTPServing",
                "JSON", "Lab",
                "LocatedYAML", "Locks",
                "MockOrigin", "Mutants", "OriginScript", "PublicSuite", "Recording", "Scenarios",
                "StackScenarios", "TextCodings",
                httpTypes,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/cachecheck",
            swiftSettings: strict,
            plugins: ["GenerateSources"]
        ),
        .plugin(name: "GenerateSources", capability: .buildTool(), dependencies: ["SourceGenerator"]),
        .executableTarget(
            name: "SourceGenerator",
            dependencies: ["CLibrary", "Czlib", "FileReading", "TextCodings"],
            path: "Sources/Tools/SourceGenerator",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "Baseline", "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage", "CLibrary",
                "Clocks",
                "Conformance",
                "ControlServing", "Fetching", "FileReading",
                "ImageLoading", "JSON", "LocatedYAML", "Locks", "MockOrigin", "OriginScript", "Scenarios",
                "StackScenarios", "Threads", httpTypes,
            ],
            path: "Sources/Tools/Bench",
            swiftSettings: strict
        ),
        .target(name: "Baseline", dependencies: ["Ccurl"], path: "Sources/Tools/Baseline"),

        // Tests
        .target(
            name: "TestSupport",
            dependencies: ["CLibrary", "JSON", "LocatedYAML", "Locks"],
            path: "Tests/Support/TestSupport",
            swiftSettings: strict
        ),
        .target(
            name: "Metamorphic",
            dependencies: ["CacheSemantics", httpTypes],
            path: "Tests/Semantics/Metamorphic",
            swiftSettings: strict
        ),
        .target(
            name: "StoreModel",
            dependencies: ["CacheSemantics", "CacheStorage", "Clocks", httpTypes],
            path: "Tests/Client/StoreModel",
            swiftSettings: strict
        ),
        .target(name: "CacheOracle", path: "Tests/Semantics/CacheOracle", swiftSettings: strict),
        .target(
            name: "CacheDifferential",
            dependencies: [
                "CacheClient", "CacheOracle", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks",
                "Conformance",
                "Locks", "Threads", httpTypes,
            ],
            path: "Tests/Client/CacheDifferential",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Differential",
            dependencies: [
                "CacheDifferential", "CacheOracle", "CLibrary", "Locks", "Mutants", "TestSupport", "Threads",
            ],
            path: "Tests/Tools/Differential",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Torture",
            dependencies: [
                "CacheStorage", "CLibrary", "Czlib", "Locks", "StoreModel", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Tools/Torture",
            swiftSettings: strict
        ),
        tests("Locks", in: "Support", ["TestSupport"]),
        tests("FileReading", in: "Support", ["CLibrary", "TestSupport"]),
        tests("FileWatching", in: "Support", ["CLibrary", "TestSupport"]),
        tests("Clocks", in: "Support", ["Locks"]),
        tests("CacheSemantics", in: "Semantics", ["CLibrary", "Metamorphic", "TestSupport", httpTypes]),
        tests("Certificates", in: "Serving", ["Cgnutls", "CLibrary", "TestSupport"]),
        tests(
            "CacheStorage",
            in: "Client",
            [
                "CacheSemantics", "CLibrary", "Clocks", "Locks", "StoreModel", "TestSupport", httpTypes,
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        tests("CacheClientFoundation", in: "Client", ["MockOrigin"]),
        tests(
            "CacheClient",
            in: "Client",
            [
                "Addresses", "CacheSemantics", "CacheStorage", "Ccurl", "CLibrary", "Clocks", "Czlib",
                "HTTPServing", "Locks", "Metamorphic",
                "MockOrigin", "OriginScript", "Certificates", "TestSupport", httpTypes,
            ]
        ),
        tests(
            "Fetching",
            in: "Stack",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks", "HTTPServing",
                "ImageLoading",
                "JSON", "Locks",
                "MockOrigin", "OriginScript", "TestSupport", httpTypes,
            ]
        ),
        tests("BundledFiles", in: "Support", ["TestSupport"]),
        tests("CacheDifferential", in: "Client", ["CacheOracle", "Mutants"]),
        tests("JSON", in: "Support"),
        tests("TextCodings", in: "Support"),
        tests("WireSyntax", in: "Support"),
        tests("Threads", in: "Support", ["CLibrary", "Locks"]),
        tests("LocatedYAML", in: "Support"),
        tests("OriginScript", in: "Origin", ["LocatedYAML", "TestSupport"]),
        tests("PublicSuite", in: "Harness", ["LocatedYAML", "OriginScript"]),
        tests("HTTPServing", in: "Serving", ["CLibrary", "Clocks", "Locks", "TestSupport", "Threads"]),
        tests(
            "ControlServing",
            in: "Serving",
            ["CLibrary", "HTTPServing", "JSON", "LocatedYAML", "TestSupport"]
        ),
        tests(
            "MockOrigin",
            in: "Origin",
            [
                "CLibrary", "Clocks", "ControlServing", "FileWatching", "HTTPServing", "JSON", "LocatedYAML",
                "OriginScript", "PublicSuite", "TestSupport",
            ]
        ),
        tests(
            "FaultProxy",
            in: "Origin",
            [
                "Addresses", "Certificates", "CLibrary", "Clocks", "ControlServing", "HTTPArchive",
                "HTTPServing", "JSON",
                "LocatedYAML",
                "Locks",
                "MockOrigin",
                "OriginScript",
                "TestSupport", "TextCodings", "Threads",
            ]
        ),
        tests(
            "CacheGateway",
            in: "Gateway",
            [
                "Addresses", "CacheClient", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks",
                "ControlServing",
                "HTTPServing",
                "Locks",
                "MockOrigin",
                "OriginScript", "TestSupport", httpTypes,
            ]
        ),
        tests(
            "MockOriginTesting",
            in: "Origin",
            ["TestSupport"]
        ),
        .testTarget(
            name: "MockOriginExampleTests",
            dependencies: ["CacheClient", "MockOriginTesting"],
            path: "Tests/Origin/MockOriginExampleTests",
            swiftSettings: strict
        ),
        tests(
            "Recording",
            in: "Harness",
            [
                "CacheClient", "CLibrary", "Clocks", "LocatedYAML", "Locks", "MockOrigin", "OriginScript",
                "TestSupport",
            ]
        ),
        tests(
            "ImageLoading",
            in: "Stack",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks", "Fetching",
                "HTTPServing", "JSON",
                "Locks",
                "MockOrigin", "OriginScript", "TestSupport", httpTypes,
            ]
        ),
        tests("AnimatedImages", in: "Stack", ["ImageLoading", "Locks", "MockOrigin", "TestSupport"]),
        tests("Scenarios", in: "Harness", ["CacheSemantics", "LocatedYAML", "OriginScript", "TestSupport"]),
        tests(
            "StackScenarios",
            in: "Stack",
            [
                "CacheSemantics", "Conformance", "DocumentRules", "HTTPServing", "LocatedYAML", "Mutants",
                "OriginScript", "Scenarios", "TestSupport",
            ]
        ),
        tests(
            "Conformance",
            in: "Harness",
            [
                "Addresses", "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage", "CLibrary",
                "Clocks",
                "HTTPServing",
                "JSON",
                "LocatedYAML", "Locks", "MockOrigin", "OriginScript", "PublicSuite", "ReportFormats",
                "Scenarios",
                "TestSupport", "TextCodings", "Threads",
            ]
        ),
        tests(
            "Explanation",
            in: "Semantics",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "CLibrary", "Clocks", "HTTPArchive",
                "LocatedYAML",
                "Locks",
                "Metamorphic",
                "TestSupport", httpTypes,
            ]
        ),
        tests(
            "Audit",
            in: "Harness",
            [
                "CacheClient", "CacheSemantics", "Clocks", "HTTPArchive", "HTTPServing",
                "JSON", "LocatedYAML",
                "Locks", "MockOrigin", "OriginScript", "TestSupport", "TextCodings", httpTypes,
            ]
        ),
        .testTarget(
            name: "OwnCacheExampleTests",
            dependencies: ["Conformance"],
            path: "Tests/Harness/OwnCacheExampleTests",
            swiftSettings: strict
        ),
        tests(
            "Lab",
            in: "Harness",
            [
                "CacheSemantics", "CLibrary", "Clocks", "ControlServing", "Explanation", "JSON",
                "LocatedYAML",
                "TestSupport",
            ]
        ),
        tests("Mutants", in: "Harness", ["CacheSemantics", "Conformance", "Scenarios"]),
        tests("cachecheck", in: "Tools", ["CLibrary", "FileReading", "JSON", "LocatedYAML", "TestSupport"]),
    ]
)
