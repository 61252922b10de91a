// swift-tools-version: 6.2

import PackageDescription

// Built by ci/mutate; no part of a usual build, which does without swift-syntax.
let package = Package(
    name: "mutating",
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "Mutate",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // It handles tens of millions of numbers: which trial reaches which mutant.
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .unsafeFlags(["-O"])]
        ),
        .testTarget(
            name: "MutateTests",
            dependencies: [
                "Mutate",
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
    ]
)
