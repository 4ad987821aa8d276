// swift-tools-version: 6.3
import PackageDescription

// An app package whose targets and types have names that are common in apps. Its code, except that of `Speed`, uses no module
// alias and no module-qualified name. So its build fails if a new public name of the toolkit collides with one of
// these names.
//
// The package uses the toolkit in the repository that contains this folder. If `ASYNC_VIEW_MODELS_COMMIT` is set, SwiftPM instead
// clones that commit of the repository, as it clones a release for an app. (SwiftPM reads a manifest again only if its text or
// the environment has changed, so the manifest cannot ask git for the commit itself.)
let repository = Context.packageDirectory.split(separator: "/").dropLast(2).joined(separator: "/")
let identity = String(repository.split(separator: "/").last ?? "")
let asyncViewModels: Package.Dependency =
  if let commit = Context.environment["ASYNC_VIEW_MODELS_COMMIT"] {
    .package(url: "file:///\(repository)", revision: commit)
  } else {
    .package(path: "/\(repository)")
  }

let warningsAreErrors = Context.environment["ASYNC_VIEW_MODELS_WARNINGS_AS_ERRORS"] != nil
let settings: [SwiftSetting] = warningsAreErrors ? [.treatAllWarnings(as: .error)] : []
let toolkit: Target.Dependency = .product(name: "AsyncViewModels", package: identity)
let toolkitForGCD: Target.Dependency = .product(name: "AsyncViewModelsGCD", package: identity)
let toolkitForRequests: Target.Dependency = .product(
  name: "AsyncViewModelsRequests", package: identity)
let toolkitForViews: Target.Dependency = .product(name: "AsyncViewModelsUI", package: identity)

/// A module of the sample app, compiled as if it were this app's code: it has its own `package` declarations, but of the toolkit only
/// the public ones. `Storefront` is a link to the sources. A target cannot have the name of a target of the toolkit's package, so the
/// imports in the sources are aliases.
func sample(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  let aliases = ["Curl", "Domain"].flatMap { ["-module-alias", "Storefront\($0)=Sample\($0)"] }
  let features = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    "InferIsolatedConformances", "ImmutableWeakCaptures",
  ]
  return .target(
    name: "Sample\(name)", dependencies: dependencies, path: "Storefront/\(name)", exclude: exclude,
    swiftSettings: settings + features.map { .enableUpcomingFeature($0) } + [.unsafeFlags(aliases)])
}

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [asyncViewModels],
  targets: [
    .target(name: "Domain", swiftSettings: settings),
    .target(name: "Services", dependencies: ["Domain", toolkit], swiftSettings: settings),
    .target(name: "ViewModels", dependencies: ["Domain", "Services", toolkit], swiftSettings: settings),
    // These are the settings of new Xcode projects.
    .target(
      name: "Features",
      dependencies: ["Domain", "Services", "ViewModels", toolkitForRequests, toolkitForViews],
      swiftSettings: settings + [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
    // `Store` imports the sample app, too, next to names of Apple's frameworks.
    .target(name: "FrameworkNames", swiftSettings: settings),
    .target(
      name: "Store",
      dependencies: ["FrameworkNames", toolkitForViews, .product(name: "Storefront", package: identity)],
      swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Domain", "Services", "ViewModels", toolkit], swiftSettings: settings
    ),
    sample("Domain", [toolkit]),
    sample(
      "ViewModels",
      ["SampleDomain", toolkitForGCD, toolkitForRequests, .product(name: "ListSnapshots", package: identity)]),
    .target(name: "SampleCurl", path: "Storefront/Services/Curl"),
    sample("Services", ["SampleCurl", "SampleDomain", toolkitForGCD, toolkitForRequests], exclude: ["Curl"]),
    // `Speed` measures generic view models of the sample app with a type of this app.
    .executableTarget(
      name: "Speed",
      dependencies: [
        toolkitForGCD, .product(name: "AsyncViewModelsBenchmarkHarness", package: identity),
        .product(name: "Storefront", package: identity),
      ], swiftSettings: settings),
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
        "Domain", "Features", "Services", toolkitForViews,
        .product(name: "AsyncViewModelsTesting", package: identity),
        .product(name: "AsyncViewModelsSimulation", package: identity),
        .product(name: "SimulatedQueues", package: identity),
      ], swiftSettings: settings),
  ]
)
