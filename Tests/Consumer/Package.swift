// swift-tools-version: 6.3
import PackageDescription

// An app package with the target and type names that apps use. It must build without an alias or a qualified name, so a new public name
// of the toolkit that collides with an app's own is found here.
//
// It gets the toolkit as an app does: SwiftPM clones the repository, at the commit that is checked out. Commit a change to see it here.
let repository = Context.packageDirectory.split(separator: "/").dropLast(2).joined(separator: "/")
let identity = String(repository.split(separator: "/").last ?? "")
let commit = Context.gitInformation?.currentCommit ?? ""

let warningsAreErrors = Context.environment["ASYNC_VIEW_MODELS_WARNINGS_AS_ERRORS"] != nil
let settings: [SwiftSetting] = warningsAreErrors ? [.treatAllWarnings(as: .error)] : []
let toolkit: Target.Dependency = .product(name: "AsyncViewModels", package: identity)

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(url: "file:///\(repository)", revision: commit)],
  targets: [
    .target(name: "Domain", swiftSettings: settings),
    .target(name: "Services", dependencies: ["Domain", toolkit], swiftSettings: settings),
    .target(name: "ViewModels", dependencies: ["Domain", "Services", toolkit], swiftSettings: settings),
    // As new Xcode projects are set up.
    .target(
      name: "Features", dependencies: ["Domain", "Services", "ViewModels", toolkit],
      swiftSettings: settings + [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Domain", "Services", "ViewModels", toolkit], swiftSettings: settings
    ),
    .testTarget(
      name: "ViewModelsTests",
      dependencies: [
        "Domain", "Services", "ViewModels", toolkit,
        .product(name: "AsyncViewModelsTesting", package: identity),
        .product(name: "AsyncViewModelsSimulation", package: identity),
      ], swiftSettings: settings),
    .testTarget(
      name: "FeaturesTests",
      dependencies: [
        "Domain", "Features", "Services", toolkit,
        .product(name: "AsyncViewModelsTesting", package: identity),
      ], swiftSettings: settings),
  ]
)
