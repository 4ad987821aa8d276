// swift-tools-version: 6.1
import PackageDescription

// Separate, so that the root package has no dependencies. The folder is not `Scripts/Audit`, because
// a file system that ignores case cannot tell it from `Scripts/audit`.
let package = Package(
  name: "Audit",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "audit", targets: ["audit-cli"]),
    .executable(name: "migrate", targets: ["migrate-cli"]),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .target(
      name: "Audit",
      dependencies: [
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
    .target(
      name: "Commands", dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .executableTarget(
      name: "audit-cli",
      dependencies: [
        "Audit", "Commands", "Migration", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "AuditTests", dependencies: ["Audit", "audit-cli"]),
    .target(
      name: "Migration",
      dependencies: [
        "Audit",
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
    .executableTarget(
      name: "migrate-cli",
      dependencies: [
        "Commands", "Migration", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "MigrationTests", dependencies: ["Migration", "migrate-cli"]),
  ])
