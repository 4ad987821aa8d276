// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "AsyncViewModels",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Domain", targets: ["Domain"]),
    .library(name: "Services", targets: ["Services"]),
    .library(name: "ViewModels", targets: ["ViewModels"]),
    .library(name: "ViewModelTesting", targets: ["ViewModelTesting"]),
    .library(name: "SimulatedQueues", targets: ["SimulatedQueues"]),
    .executable(name: "Benchmarks", targets: ["Benchmarks"]),
    .executable(name: "Simulation", targets: ["Simulation"]),
  ],
  targets: [
    .target(name: "Domain"),
    .target(name: "Services", dependencies: ["Domain"]),
    .target(name: "ViewModels", dependencies: ["Domain"]),
    .target(
      name: "ViewModelTesting", dependencies: ["Domain", "Services", "ViewModels"],
      path: "Tests/TestSupport"),
    .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["AllocationCounter", "Domain", "Services", "ViewModels", "ViewModelTesting"],
      path: "Benchmarks", exclude: ["AllocationCounter", "Peers"]),
    .target(name: "SimulatedQueues", dependencies: ["ViewModelTesting"], path: "Tests/SimulatedQueues"),
    .executableTarget(
      name: "Simulation",
      dependencies: ["SimulatedQueues", "Domain", "Services", "ViewModels", "ViewModelTesting"],
      path: "Tests/Simulation"),
    .testTarget(name: "DomainTests", dependencies: ["Domain", "ViewModelTesting"]),
    .testTarget(name: "ServicesTests", dependencies: ["Domain", "Services", "ViewModelTesting"]),
    .testTarget(
      name: "ViewModelsTests", dependencies: ["Domain", "Services", "ViewModels", "ViewModelTesting"]),
    .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks", "ViewModelTesting"]),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["Domain", "SimulatedQueues", "Simulation", "ViewModelTesting", "ViewModels"]),
  ]
)

/// One list for all targets, so that none can drift. Warnings are errors where this variable is set, as it is in CI; its name is one
/// that the CI of an app will not set by chance.
let warningsAreErrors = Context.environment["ASYNC_VIEW_MODELS_WARNINGS_AS_ERRORS"] != nil
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
  ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

for target in package.targets { target.swiftSettings = settings }
