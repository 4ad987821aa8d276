// swift-tools-version: 6.3
import PackageDescription

// A package of its own, as an app's is: it sees what is public, and the optimizer inlines that into its async functions.
let warningsAreErrors = Context.environment["ASYNC_VIEW_MODELS_WARNINGS_AS_ERRORS"] != nil

let package = Package(
  name: "StressClient",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "AsyncViewModels", path: "../..")],
  targets: [
    .executableTarget(
      name: "StressClient",
      dependencies: [
        .product(name: "AsyncViewModels", package: "AsyncViewModels")
      ],
      // No other settings: an app has those that a new package has.
      swiftSettings: warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
  ]
)
