// swift-tools-version: 6.2

// Worked examples of server-side Swift, which ci/server-examples builds and tests. They are a package of their own, so
// that a package that uses CacheCheck compiles none of these dependencies.

import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "server",
    dependencies: [
        .package(name: "cachecheck", path: "../..", traits: ["Observability"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "AsyncHTTPClientCache",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "CacheSemantics", package: "cachecheck"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "HummingbirdCache",
            dependencies: [
                .product(name: "CacheSemantics", package: "cachecheck"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CacheServices",
            dependencies: [
                .product(name: "CacheGateway", package: "cachecheck"),
                .product(name: "MockOrigin", package: "cachecheck"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        // The first program of CacheObservability's article, which ci/server-examples compares with it.
        .executableTarget(
            name: "ObservedClient",
            dependencies: [
                .product(name: "CacheObservability", package: "cachecheck"),
                .product(name: "MockOrigin", package: "cachecheck"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                "AsyncHTTPClientCache", "CacheServices", "HummingbirdCache",
                .product(name: "CacheObservability", package: "cachecheck"),
                .product(name: "Conformance", package: "cachecheck"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
    ]
)
