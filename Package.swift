// swift-tools-version: 6.3
import PackageDescription

// SwiftPM wants unique target names in the whole graph of an app, so no target here has a name that an app is likely to use. The
// command `Benchmarks` is not a product: an app may have an executable of the same name. The programs and tests that few changes touch
// are in a separate package, `Tests/Tools`.

/// What apps import. View models import the core or, on GCD, `AsyncViewModelsGCD`. What sends requests imports `AsyncViewModelsRequests`.
/// Views import `AsyncViewModelsUI`.
let toolkit: [Target.Dependency] = [
  "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "AsyncViewModelsUI", "ListSnapshots",
]
let viewModels: [Target.Dependency] = [
  "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "ListSnapshots",
]
let testing: [Target.Dependency] =
  toolkit + ["AsyncViewModelsRecorder", "AsyncViewModelsShadow", "AsyncViewModelsTesting"]
let simulator: [Target.Dependency] = ["AsyncViewModelsSimulation", "SimulatedQueues"]
/// A sample app: every feature in three stages.
let storefront: [Target.Dependency] = ["StorefrontDomain", "StorefrontServices", "StorefrontViewModels"]
let measuring: [Target.Dependency] = ["AsyncViewModelsBenchmarkHarness", "AsyncViewModelsCommandLine"]

let package = Package(
  name: "AsyncViewModels",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AsyncViewModels", targets: ["AsyncViewModels"]),
    .library(name: "AsyncViewModelsGCD", targets: ["AsyncViewModelsGCD"]),
    .library(name: "AsyncViewModelsRequests", targets: ["AsyncViewModelsRequests"]),
    .library(name: "AsyncViewModelsRecorder", targets: ["AsyncViewModelsRecorder"]),
    .library(name: "AsyncViewModelsUI", targets: ["AsyncViewModelsUI"]),
    .library(name: "ListSnapshots", targets: ["ListSnapshots"]),
    .library(name: "AsyncViewModelsTesting", targets: ["AsyncViewModelsTesting"]),
    // Compares two view models in a running app, which cannot link the test kit.
    .library(name: "AsyncViewModelsShadow", targets: ["AsyncViewModelsShadow"]),
    // Simulates any Swift code, also without this toolkit.
    .library(name: "AsyncViewModelsSimulation", targets: ["AsyncViewModelsSimulation"]),
    // Adds dispatch queues to a simulation. A separate product, because linking it replaces functions of libdispatch in the whole process.
    .library(name: "SimulatedQueues", targets: ["SimulatedQueues"]),
    .library(
      name: "Storefront", targets: ["StorefrontDomain", "StorefrontServices", "StorefrontViewModels"]),
    .library(name: "AsyncViewModelsBenchmarkHarness", targets: ["AsyncViewModelsBenchmarkHarness"]),
  ],
  targets: [
    // What ships.
    .target(name: "AsyncViewModels"),
    .target(name: "AsyncViewModelsGCD", dependencies: ["AsyncViewModels"]),
    .target(name: "AsyncViewModelsRequests", dependencies: ["AsyncViewModels"]),
    .target(name: "AsyncViewModelsRecorder", dependencies: ["AsyncViewModels"]),
    .target(
      name: "AsyncViewModelsUI",
      dependencies: ["AsyncViewModels", "AsyncViewModelsRequests", "ListSnapshots"]),
    .target(name: "ListSnapshots"),
    .target(name: "AsyncViewModelsTesting", dependencies: toolkit + ["AsyncViewModelsVirtualTime"]),
    .target(name: "AsyncViewModelsShadow", dependencies: ["AsyncViewModels"]),
    .target(
      name: "AsyncViewModelsSimulation",
      dependencies: ["AsyncViewModelsRuntimeHooks", "AsyncViewModelsVirtualTime"], exclude: ["Runtime/Hooks"]),
    .target(name: "AsyncViewModelsRuntimeHooks", path: "Sources/AsyncViewModelsSimulation/Runtime/Hooks"),
    .target(name: "AsyncViewModelsVirtualTime"),
    .target(name: "SimulatedQueues", dependencies: ["AsyncViewModelsSimulation", "SimulatedWaits"]),
    .target(name: "SimulatedWaits", dependencies: ["AsyncViewModelsRuntimeHooks"]),
    .target(name: "StorefrontDomain", dependencies: ["AsyncViewModels"], path: "Sources/Domain"),
    .target(name: "StorefrontCurl", path: "Sources/Services/Curl"),
    .target(
      name: "StorefrontServices",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "StorefrontCurl",
        "StorefrontDomain",
      ],
      path: "Sources/Services", exclude: ["Curl"]),
    .target(
      name: "StorefrontViewModels", dependencies: viewModels + ["StorefrontDomain"],
      path: "Sources/ViewModels"),

    // What checks.
    .target(
      name: "StorefrontLoopbackServer", dependencies: testing + ["StorefrontDomain", "StorefrontServices"],
      path: "Tests/StorefrontLoopbackServer"),
    .target(
      name: "StorefrontTesting", dependencies: testing + ["StorefrontDomain", "StorefrontViewModels"],
      path: "Tests/StorefrontTesting"),
    .target(name: "ToolkitTestSupport", dependencies: testing, path: "Tests/ToolkitTestSupport"),
    .testTarget(name: "AsyncViewModelsTests", dependencies: testing + ["ToolkitTestSupport"]),
    .testTarget(name: "AsyncViewModelsGCDTests", dependencies: testing + ["ToolkitTestSupport"]),
    .testTarget(name: "AsyncViewModelsRequestsTests", dependencies: testing + ["ToolkitTestSupport"]),
    .testTarget(name: "AsyncViewModelsRecorderTests", dependencies: testing + ["ToolkitTestSupport"]),
    .testTarget(name: "AsyncViewModelsUITests", dependencies: testing + ["ToolkitTestSupport"]),
    .testTarget(
      name: "AsyncViewModelsShadowTests",
      dependencies: testing + storefront + ["StorefrontLoopbackServer", "StorefrontTesting"]),
    .testTarget(
      name: "AsyncViewModelsDocumentationTests",
      dependencies: testing + simulator + storefront + ["StorefrontTesting"]),
    .testTarget(
      name: "StorefrontViewModelsTests",
      dependencies: testing + storefront + ["StorefrontLoopbackServer", "StorefrontTesting"]),

    // What measures.
    .target(name: "AsyncViewModelsCommandLine", path: "Benchmarks/CommandLine"),
    .target(name: "AsyncViewModelsAllocationCounter", path: "Benchmarks/AllocationCounter"),
    .target(
      name: "AsyncViewModelsBenchmarkHarness",
      dependencies: ["AsyncViewModels", "AsyncViewModelsAllocationCounter", "AsyncViewModelsCommandLine"],
      path: "Benchmarks/Harness"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: testing + storefront + measuring + ["StorefrontLoopbackServer", "StorefrontTesting"],
      path: "Benchmarks", exclude: ["AllocationCounter", "CommandLine", "Demo/Recording", "Harness", "Peers"]),
  ]
)

/// Whether warnings are errors, as in CI. The name is specific to this package, so the CI of an app does not set it by accident.
let warningsAreErrors = Context.environment["ASYNC_VIEW_MODELS_WARNINGS_AS_ERRORS"] != nil
let settings: [SwiftSetting] =
  [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    "InferIsolatedConformances", "ImmutableWeakCaptures",
  ].map { .enableUpcomingFeature($0) } + [.swiftLanguageMode(.v6), .strictMemorySafety()]
  + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
for target in package.targets { target.swiftSettings = settings }
