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
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    resources: [Resource]? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: [.byName(name: name)] + dependencies,
        swiftSettings: strict
    )
}

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "cachecheck",
    // A product brings the modules whose types are in its interface.
    products: [
        .library(name: "CacheSemantics", targets: ["CacheSemantics"]),
        .library(name: "CacheStorage", targets: ["CacheStorage", "CacheSemantics", "Clocks"]),
        .library(name: "CacheClient", targets: ["CacheClient", "CacheStorage", "CacheSemantics", "Clocks"]),
        .library(
            name: "Fetching",
            targets: ["Fetching", "CacheClient", "CacheStorage", "CacheSemantics", "Clocks", "JSON"]
        ),
        .library(
            name: "CacheGateway",
            targets: [
                "CacheGateway", "CacheClient", "CacheStorage", "CacheSemantics", "ControlServing",
                "HTTPServing",
                "Clocks",
            ]
        ),
        .library(
            name: "MockOrigin",
            targets: [
                "MockOrigin", "OriginScript", "PublicSuite", "ControlServing", "HTTPServing", "Clocks",
                "Certificates", "JSON",
            ]
        ),
        .library(
            name: "Recording",
            targets: ["Recording", "MockOrigin", "CacheClient", "HTTPServing", "Clocks"]
        ),
        .library(
            name: "MockOriginTesting",
            targets: ["MockOriginTesting", "MockOrigin", "OriginScript", "HTTPServing", "Clocks"]
        ),
        .library(
            name: "ImageLoading",
            targets: [
                "ImageLoading", "Fetching", "CacheClient", "CacheStorage", "CacheSemantics", "Clocks", "JSON",
            ]
        ),
        .library(name: "Scenarios", targets: ["Scenarios", "OriginScript", "LocatedYAML", "CacheSemantics"]),
        .library(
            name: "Conformance",
            targets: [
                "Conformance", "Explanation", "Scenarios", "MockOrigin", "CacheClient", "CacheSemantics",
            ]
        ),
        .library(
            name: "StackScenarios",
            targets: [
                "StackScenarios", "Conformance", "Scenarios", "OriginScript", "LocatedYAML", "CacheSemantics",
            ]
        ),
        .executable(name: "cachecheck", targets: ["cachecheck"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "Ccurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "Cmicrohttpd",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(name: "Cgnutls", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
        .systemLibrary(name: "Cnetlink"),
        .systemLibrary(name: "Cxml2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "Czlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .systemLibrary(
            name: "Cturbojpeg",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]
        ),
        .systemLibrary(name: "Cpng", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "Cmalloc"),
        .systemLibrary(name: "Cxattr"),

        library("Locks"),
        library("FileWatching", ["Locks"]),
        library("Clocks", ["Locks"]),
        library(
            "CacheSemantics",
            [
                httpTypes,
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ]
        ),
        library(
            "CacheStorage",
            [
                "CacheSemantics", "Clocks", "FileWatching", "Locks", httpTypes,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        library(
            "CacheClient",
            ["CacheSemantics", "CacheStorage", "Ccurl", "Czlib", "Clocks", "Locks", "TextCodings", httpTypes]
        ),
        library("Explanation", ["CacheSemantics", "LocatedYAML", httpTypes]),
        library(
            "Fetching",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "Cnetlink", "Cxml2", "JSON",
                "Locks",
                "TextCodings", httpTypes,
            ]
        ),
        library("JSON"),
        library("TextCodings"),
        library("LocatedYAML", ["JSON", "Yams"]),
        library("OriginScript", ["JSON", "LocatedYAML", "TextCodings"]),
        library("PublicSuite", ["JSON", "LocatedYAML", "OriginScript"]),
        library("Certificates", ["Cgnutls"]),
        library("HTTPServing", ["Certificates", "Cmicrohttpd", "Cgnutls", "Clocks", "Locks"]),
        library("ControlServing", ["Clocks", "HTTPServing", "JSON", "LocatedYAML", "Locks", "TextCodings"]),
        library(
            "MockOrigin",
            [
                "Certificates", "ControlServing", "HTTPServing", "JSON", "OriginScript", "PublicSuite",
                "LocatedYAML",
                "Czlib", "Cgnutls", "Clocks", "FileWatching", "Locks", "TextCodings",
            ],
            resources: ["html", "css", "js"].map { .embedInCode("Page/page.\($0)") }
        ),
        library("MockOriginTesting", ["Clocks", "HTTPServing", "MockOrigin", "OriginScript"]),
        library(
            "CacheGateway",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "ControlServing", "HTTPServing",
                "JSON", "Locks", httpTypes,
            ]
        ),
        library(
            "ImageLoading",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "Cpng", "Cturbojpeg",
                "Cxattr", "Fetching", "Locks", httpTypes,
            ]
        ),
        library(
            "Recording",
            [
                "CacheClient", "CacheSemantics", "Clocks", "HTTPServing", "JSON", "LocatedYAML", "Locks",
                "MockOrigin", "OriginScript", "TextCodings", httpTypes,
            ]
        ),
        library(
            "DocumentRules",
            ["CacheSemantics", "LocatedYAML", "Scenarios"],
            path: "Sources/Stack/DocumentRules",
            resources: [.embedInCode("document-rules.yaml")]
        ),
        library(
            "StackScenarios",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "Conformance", "DocumentRules",
                "Fetching", "ImageLoading", "JSON", "LocatedYAML", "Locks", "MockOrigin", "OriginScript",
                "Scenarios", "TextCodings", httpTypes,
            ],
            path: "Sources/Stack/StackScenarios"
        ),
        library("Scenarios", ["CacheSemantics", "OriginScript", "LocatedYAML", "Locks", "TextCodings"]),
        library(
            "Conformance",
            [
                "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage", "Certificates", "Clocks",
                "Explanation", "HTTPServing", "JSON", "LocatedYAML", "Locks", "MockOrigin", "OriginScript",
                "PublicSuite", "Scenarios", "TextCodings", httpTypes,
            ]
        ),
        library(
            "Mutants",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "Conformance", "JSON", "Locks",
                "Scenarios", httpTypes,
            ]
        ),
        .executableTarget(
            name: "cachecheck",
            dependencies: [
                "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage", "Clocks", "Conformance",
                "Certificates", "Cmalloc", "ControlServing", "Explanation", "HTTPServing", "JSON",
                "LocatedYAML", "Locks",
                "MockOrigin", "Mutants", "OriginScript", "PublicSuite", "Recording", "Scenarios",
                "StackScenarios", "TextCodings",
                httpTypes,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        .target(name: "Baseline", dependencies: ["Ccurl"]),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "Baseline", "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage", "Clocks",
                "Conformance",
                "ControlServing", "Fetching",
                "ImageLoading", "JSON", "LocatedYAML", "Locks", "MockOrigin", "OriginScript", "Scenarios",
                "StackScenarios", httpTypes,
            ],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Locks"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .target(
            name: "Metamorphic",
            dependencies: ["CacheSemantics", httpTypes],
            path: "Tests/Metamorphic",
            swiftSettings: strict
        ),
        .target(
            name: "StoreModel",
            dependencies: ["CacheSemantics", "CacheStorage", "Clocks", httpTypes],
            path: "Tests/StoreModel",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Torture",
            dependencies: [
                "CacheStorage", "Czlib", "Locks", "StoreModel", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Torture",
            swiftSettings: strict
        ),
        tests("Locks", ["TestSupport"]),
        tests("FileWatching", ["TestSupport"]),
        tests("Clocks", ["Locks"]),
        tests("CacheSemantics", ["Metamorphic", "TestSupport", httpTypes]),
        tests("Certificates", ["Cgnutls", "TestSupport"]),
        tests(
            "CacheStorage",
            [
                "CacheSemantics", "Clocks", "FileWatching", "Locks", "StoreModel", "TestSupport", httpTypes,
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        tests(
            "CacheClient",
            [
                "CacheSemantics", "CacheStorage", "Clocks", "Czlib", "HTTPServing", "Locks", "Metamorphic",
                "MockOrigin", "OriginScript", "Certificates", "TestSupport", httpTypes,
            ]
        ),
        tests(
            "Fetching",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "HTTPServing", "JSON", "Locks",
                "MockOrigin", "OriginScript", "TestSupport", httpTypes,
            ]
        ),
        tests("JSON"),
        tests("TextCodings"),
        tests("LocatedYAML", ["JSON"]),
        tests("OriginScript", ["LocatedYAML"]),
        tests("PublicSuite", ["LocatedYAML"]),
        tests("HTTPServing", ["Clocks", "Locks", "TestSupport"]),
        tests("ControlServing", ["Clocks", "HTTPServing", "LocatedYAML", "TestSupport"]),
        tests(
            "MockOrigin",
            [
                "Clocks", "ControlServing", "HTTPServing", "JSON", "LocatedYAML", "Locks", "OriginScript",
                "PublicSuite", "TestSupport",
            ]
        ),
        tests(
            "CacheGateway",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "ControlServing", "HTTPServing",
                "Locks",
                "MockOrigin",
                "OriginScript", "TestSupport", httpTypes,
            ]
        ),
        tests("MockOriginTesting", ["Clocks", "HTTPServing", "MockOrigin", "OriginScript", "TestSupport"]),
        .testTarget(
            name: "MockOriginExampleTests",
            dependencies: [
                "CacheClient", "CacheStorage", "Clocks", "HTTPServing", "MockOrigin", "MockOriginTesting",
                "OriginScript",
            ],
            swiftSettings: strict
        ),
        tests(
            "Recording",
            [
                "CacheClient", "Clocks", "HTTPServing", "LocatedYAML", "Locks", "MockOrigin", "OriginScript",
                "TestSupport",
            ]
        ),
        tests(
            "ImageLoading",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "Fetching", "HTTPServing", "JSON",
                "Locks",
                "MockOrigin", "OriginScript", "TestSupport", httpTypes,
            ]
        ),
        tests("Scenarios", ["CacheSemantics", "LocatedYAML", "OriginScript", "TestSupport"]),
        tests(
            "StackScenarios",
            [
                "CacheSemantics", "Conformance", "DocumentRules", "HTTPServing", "LocatedYAML", "Mutants",
                "OriginScript", "Scenarios", "TestSupport",
            ]
        ),
        tests(
            "Conformance",
            [
                "CacheClient", "CacheGateway", "CacheSemantics", "CacheStorage", "Clocks", "HTTPServing",
                "LocatedYAML", "Locks", "MockOrigin", "OriginScript", "PublicSuite", "Scenarios",
                "TestSupport",
                httpTypes,
            ]
        ),
        tests(
            "Explanation",
            [
                "CacheClient", "CacheSemantics", "CacheStorage", "Clocks", "LocatedYAML", "Locks",
                "Metamorphic",
                "TestSupport", httpTypes,
            ]
        ),
        tests("Mutants", ["CacheSemantics", "Conformance", "Scenarios"]),
        tests("cachecheck", ["LocatedYAML", "TestSupport"]),
    ]
)
