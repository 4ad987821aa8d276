// swift-tools-version: 6.3
import PackageDescription

// The programs that search for races, and the tests of the kits, of list snapshots, of the storefront's domain and services, and of all
// programs. Few changes touch them, so `swift test` in the root package does not build them. `Repository` is a link to the root: this
// package compiles the same sources, with their `package` declarations, and the root package needs no product for tests.

/// A target of the root package.
func linked(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, path: "Repository/\(path)", exclude: exclude)
}

let toolkit: [Target.Dependency] = [
  "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "AsyncViewModelsUI", "ListSnapshots",
]
let viewModels: [Target.Dependency] = [
  "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "ListSnapshots",
]
let testing: [Target.Dependency] =
  toolkit + ["AsyncViewModelsRecorder", "AsyncViewModelsShadow", "AsyncViewModelsTesting"]
let simulator: [Target.Dependency] = ["AsyncViewModelsSimulation", "SimulatedQueues"]
let storefront: [Target.Dependency] = ["StorefrontDomain", "StorefrontServices", "StorefrontViewModels"]
let measuring: [Target.Dependency] = ["AsyncViewModelsBenchmarkHarness", "AsyncViewModelsCommandLine"]

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  targets: [
    linked("AsyncViewModels", "Sources/AsyncViewModels"),
    linked("AsyncViewModelsGCD", "Sources/AsyncViewModelsGCD", ["AsyncViewModels"]),
    linked("AsyncViewModelsRequests", "Sources/AsyncViewModelsRequests", ["AsyncViewModels"]),
    linked(
      "AsyncViewModelsUI", "Sources/AsyncViewModelsUI",
      ["AsyncViewModels", "AsyncViewModelsRequests", "ListSnapshots"]),
    linked("ListSnapshots", "Sources/ListSnapshots"),
    linked("AsyncViewModelsRecorder", "Sources/AsyncViewModelsRecorder", ["AsyncViewModels"]),
    linked("AsyncViewModelsShadow", "Sources/AsyncViewModelsShadow", ["AsyncViewModels"]),
    linked(
      "AsyncViewModelsTesting", "Sources/AsyncViewModelsTesting", toolkit + ["AsyncViewModelsVirtualTime"]),
    linked(
      "AsyncViewModelsSimulation", "Sources/AsyncViewModelsSimulation",
      ["AsyncViewModelsRuntimeHooks", "AsyncViewModelsVirtualTime"], exclude: ["Runtime/Hooks"]),
    linked("AsyncViewModelsRuntimeHooks", "Sources/AsyncViewModelsSimulation/Runtime/Hooks"),
    linked("AsyncViewModelsVirtualTime", "Sources/AsyncViewModelsVirtualTime"),
    linked("SimulatedQueues", "Sources/SimulatedQueues", ["AsyncViewModelsSimulation", "SimulatedWaits"]),
    linked("SimulatedWaits", "Sources/SimulatedWaits", ["AsyncViewModelsRuntimeHooks"]),
    linked("StorefrontDomain", "Sources/Domain", ["AsyncViewModels"]),
    linked("StorefrontCurl", "Sources/Services/Curl"),
    linked(
      "StorefrontServices", "Sources/Services",
      [
        "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "StorefrontCurl",
        "StorefrontDomain",
      ], exclude: ["Curl"]),
    linked("StorefrontViewModels", "Sources/ViewModels", viewModels + ["StorefrontDomain"]),
    linked(
      "StorefrontLoopbackServer", "Tests/StorefrontLoopbackServer",
      testing + ["StorefrontDomain", "StorefrontServices"]),
    linked(
      "StorefrontTesting", "Tests/StorefrontTesting", testing + ["StorefrontDomain", "StorefrontViewModels"]),
    linked("ToolkitTestSupport", "Tests/ToolkitTestSupport", testing),
    linked("AsyncViewModelsCommandLine", "Benchmarks/CommandLine"),
    linked("AsyncViewModelsAllocationCounter", "Benchmarks/AllocationCounter"),
    linked(
      "AsyncViewModelsBenchmarkHarness", "Benchmarks/Harness",
      ["AsyncViewModels", "AsyncViewModelsAllocationCounter", "AsyncViewModelsCommandLine"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: testing + storefront + measuring + ["StorefrontLoopbackServer", "StorefrontTesting"],
      path: "Repository/Benchmarks",
      exclude: ["AllocationCounter", "CommandLine", "Demo/Recording", "Harness", "Peers"]),

    .target(name: "AsyncViewModelsBugPatterns", dependencies: simulator, path: "BugPatterns"),
    .executableTarget(
      name: "Simulation",
      dependencies: testing + simulator + storefront
        + ["AsyncViewModelsBugPatterns", "AsyncViewModelsCommandLine", "StorefrontTesting"],
      path: "Scenarios"),
    .executableTarget(
      name: "StorageCrashes", dependencies: testing + storefront + ["AsyncViewModelsCommandLine"],
      path: "StorageCrashes"),
    .testTarget(
      name: "AsyncViewModelsRaceTests", dependencies: testing + ["ToolkitTestSupport"],
      path: "AsyncViewModelsRaceTests"),
    .testTarget(
      name: "AsyncViewModelsTestingTests", dependencies: testing, path: "AsyncViewModelsTestingTests"),
    .testTarget(
      name: "AsyncViewModelsSimulationTests",
      dependencies: testing + simulator + storefront + ["AsyncViewModelsBugPatterns", "StorefrontTesting"],
      path: "AsyncViewModelsSimulationTests"),
    .testTarget(
      name: "AsyncViewModelsScenariosTests",
      dependencies: testing + simulator + [
        "AsyncViewModelsBugPatterns", "AsyncViewModelsCommandLine", "Simulation", "StorefrontDomain",
        "StorefrontTesting",
      ],
      path: "AsyncViewModelsScenariosTests"),
    .testTarget(
      name: "AsyncViewModelsBenchmarksTests",
      dependencies: testing + storefront + measuring + ["Benchmarks", "StorefrontTesting"],
      path: "AsyncViewModelsBenchmarksTests"),
    // Also here, because a build that counts coverage prints other timelines than the documentation shows.
    .testTarget(
      name: "AsyncViewModelsDocumentationTests",
      dependencies: testing + simulator + storefront + ["StorefrontTesting"],
      path: "Repository/Tests/AsyncViewModelsDocumentationTests"),
    .testTarget(
      name: "ListSnapshotsTests", dependencies: testing + ["ToolkitTestSupport"], path: "ListSnapshotsTests"),
    .testTarget(
      name: "StorefrontDomainTests", dependencies: testing + ["StorefrontDomain", "StorefrontTesting"],
      path: "StorefrontDomainTests"),
    .testTarget(
      name: "StorefrontLoopbackServerTests",
      dependencies: testing + ["StorefrontDomain", "StorefrontLoopbackServer", "StorefrontTesting"],
      path: "StorefrontLoopbackServerTests"),
    .testTarget(
      name: "StorefrontServicesTests",
      dependencies: testing + storefront + [
        "StorageCrashes", "StorefrontLoopbackServer", "StorefrontTesting",
      ],
      path: "StorefrontServicesTests"),
  ]
)

/// The same settings as in the root package.
let warningsAreErrors = Context.environment["ASYNC_VIEW_MODELS_WARNINGS_AS_ERRORS"] != nil
let settings: [SwiftSetting] =
  [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    "InferIsolatedConformances", "ImmutableWeakCaptures",
  ].map { .enableUpcomingFeature($0) } + [.swiftLanguageMode(.v6), .strictMemorySafety()]
  + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
for target in package.targets { target.swiftSettings = settings }
