// swift-tools-version: 6.3
import PackageDescription

// A separate package, like an app: it sees only the public API, and the optimizer inlines that API into its
// async functions.
let warningsAreErrors = Context.environment["ASYNC_VIEW_MODELS_WARNINGS_AS_ERRORS"] != nil

let package = Package(
  name: "StressClient",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "AsyncViewModels", path: "../..")],
  targets: [
    .executableTarget(
      name: "StressClient",
      dependencies: [
        .product(name: "AsyncViewModels", package: "AsyncViewModels"),
        .product(name: "AsyncViewModelsGCD", package: "AsyncViewModels"),
      ],
      // No other settings: these are the defaults of a new package.
      swiftSettings: warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
  ]
)
