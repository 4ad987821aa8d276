// swift-tools-version: 6.3
import PackageDescription

// Apps import `AsyncViewModels`. SwiftPM requires that a target in a product of this package has a different name than every target of
// the app. So no target in a product has a name that an app is likely to use. The commands `Benchmarks`, `Simulation` and
// `StorageCrashes` are not in a product: only this package runs them, and an app can have executables of the same names.
let package = Package(
  name: "AsyncViewModels",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AsyncViewModels", targets: ["AsyncViewModels"]),
    .library(name: "AsyncViewModelsTesting", targets: ["AsyncViewModelsTesting"]),
    // Simulates any Swift code, also without this toolkit.
    .library(name: "AsyncViewModelsSimulation", targets: ["AsyncViewModelsSimulation"]),
    // Adds dispatch queues to a simulation. A separate product, because linking it replaces functions of libdispatch in the whole process.
    .library(name: "SimulatedQueues", targets: ["SimulatedQueues"]),
    .library(
      name: "Storefront", targets: ["StorefrontDomain", "StorefrontServices", "StorefrontViewModels"]),
    .library(name: "StorefrontLoopbackServer", targets: ["StorefrontLoopbackServer"]),
    .library(name: "AsyncViewModelsBenchmarkHarness", targets: ["AsyncViewModelsBenchmarkHarness"]),
  ],
  targets: toolkit + storefront + testKits + tools + benchmarks + tests
)

/// The library that apps import.
var toolkit: [Target] { [.target(name: "AsyncViewModels")] }

/// The storefront, a sample app: every feature in three stages.
var storefront: [Target] {
  [
    .target(name: "StorefrontDomain", dependencies: ["AsyncViewModels"], path: "Sources/Domain"),
    .target(name: "StorefrontCurl", path: "Sources/Services/Curl"),
    .target(
      name: "StorefrontServices", dependencies: ["AsyncViewModels", "StorefrontCurl", "StorefrontDomain"],
      path: "Sources/Services", exclude: ["Curl"]),
    .target(
      name: "StorefrontViewModels", dependencies: ["AsyncViewModels", "StorefrontDomain"],
      path: "Sources/ViewModels"),
  ]
}

/// Kits for tests, and their parts in C. All except the parts, `AsyncViewModelsBugPatterns` and `StorefrontTesting` are products.
var testKits: [Target] {
  [
    // What AsyncViewModelsTesting and AsyncViewModelsSimulation share and re-export.
    .target(name: "AsyncViewModelsVirtualTime"),
    .target(
      name: "AsyncViewModelsTesting", dependencies: ["AsyncViewModels", "AsyncViewModelsVirtualTime"],
      path: "Tests/AsyncViewModelsTesting"),
    .target(
      name: "AsyncViewModelsRuntimeHooks", path: "Sources/AsyncViewModelsSimulation/Runtime/Hooks"),
    .target(
      name: "AsyncViewModelsSimulation",
      dependencies: ["AsyncViewModelsRuntimeHooks", "AsyncViewModelsVirtualTime"],
      exclude: ["Runtime/Hooks"]),
    .target(name: "SimulatedWaits", dependencies: ["AsyncViewModelsRuntimeHooks"]),
    .target(name: "SimulatedQueues", dependencies: ["AsyncViewModelsSimulation", "SimulatedWaits"]),
    .target(
      name: "AsyncViewModelsBugPatterns", dependencies: ["AsyncViewModelsSimulation", "SimulatedQueues"],
      path: "Tests/BugPatterns"),
    .target(
      name: "StorefrontLoopbackServer",
      dependencies: ["AsyncViewModels", "AsyncViewModelsTesting", "StorefrontDomain", "StorefrontServices"],
      path: "Tests/StorefrontLoopbackServer"),
    .target(
      name: "StorefrontTesting",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsTesting", "StorefrontDomain", "StorefrontViewModels",
      ],
      path: "Tests/StorefrontTesting"),
  ]
}

/// The commands of this repository except the benchmarks, and the libraries that the commands share.
var tools: [Target] {
  [
    .target(name: "AsyncViewModelsCommandLine", path: "Benchmarks/CommandLine"),
    .target(
      name: "AsyncViewModelsAllocationCounter", path: "Benchmarks/AllocationCounter",
      cSettings: leaksAreReported ? [.unsafeFlags(["-fsanitize=leak"])] : [],
      linkerSettings: leaksAreReported ? [.unsafeFlags(["-Xclang-linker", "-fsanitize=leak"])] : []),
    .target(
      name: "AsyncViewModelsBenchmarkHarness",
      dependencies: ["AsyncViewModels", "AsyncViewModelsAllocationCounter", "AsyncViewModelsCommandLine"],
      path: "Benchmarks/Harness"),
    .executableTarget(
      name: "Simulation",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsBugPatterns", "AsyncViewModelsCommandLine",
        "AsyncViewModelsSimulation", "AsyncViewModelsTesting", "SimulatedQueues", "StorefrontDomain",
        "StorefrontServices",
        "StorefrontTesting", "StorefrontViewModels",
      ],
      path: "Tests/Scenarios"),
    .executableTarget(
      name: "StorageCrashes",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsCommandLine", "AsyncViewModelsTesting", "StorefrontDomain",
        "StorefrontServices",
      ],
      path: "Tests/StorageCrashes"),
  ]
}

/// The benchmarks and their tests.
var benchmarks: [Target] {
  [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsBenchmarkHarness", "AsyncViewModelsCommandLine",
        "AsyncViewModelsTesting", "StorefrontDomain", "StorefrontLoopbackServer", "StorefrontServices",
        "StorefrontTesting", "StorefrontViewModels",
      ],
      path: "Benchmarks", exclude: ["AllocationCounter", "CommandLine", "Demo/Recording", "Harness", "Peers"]),
    .testTarget(
      name: "AsyncViewModelsBenchmarksTests",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsBenchmarkHarness", "Benchmarks", "AsyncViewModelsCommandLine",
        "AsyncViewModelsTesting", "StorefrontDomain", "StorefrontTesting", "StorefrontViewModels",
      ]),
  ]
}

/// Whether the benchmarks and the tests are linked with the leak sanitizer, which replaces the allocator.
var leaksAreReported: Bool { Context.environment["ASYNC_VIEW_MODELS_LEAK_SANITIZER"] != nil }

var tests: [Target] {
  [
    .testTarget(name: "AsyncViewModelsTests", dependencies: ["AsyncViewModels", "AsyncViewModelsTesting"]),
    .testTarget(
      name: "AsyncViewModelsTestingTests", dependencies: ["AsyncViewModels", "AsyncViewModelsTesting"]),
    .testTarget(
      name: "AsyncViewModelsSimulationTests",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsBugPatterns", "AsyncViewModelsSimulation",
        "AsyncViewModelsTesting", "SimulatedQueues", "StorefrontDomain", "StorefrontTesting",
        "StorefrontViewModels",
      ]),
    .testTarget(
      name: "AsyncViewModelsScenariosTests",
      dependencies: [
        "AsyncViewModelsBugPatterns", "AsyncViewModelsCommandLine", "AsyncViewModelsSimulation",
        "AsyncViewModelsTesting", "Simulation",
      ]),
    .testTarget(
      name: "AsyncViewModelsDocumentationTests",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsSimulation", "AsyncViewModelsTesting", "StorefrontDomain",
        "StorefrontTesting", "StorefrontViewModels",
      ]),
    .testTarget(
      name: "StorefrontDomainTests",
      dependencies: ["AsyncViewModels", "AsyncViewModelsTesting", "StorefrontDomain", "StorefrontTesting"]),
    .testTarget(
      name: "StorefrontServicesTests",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsTesting", "StorageCrashes", "StorefrontDomain",
        "StorefrontLoopbackServer", "StorefrontServices", "StorefrontTesting",
      ]),
    .testTarget(
      name: "StorefrontLoopbackServerTests",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsTesting", "StorefrontDomain", "StorefrontLoopbackServer",
        "StorefrontTesting",
      ]),
    .testTarget(
      name: "StorefrontViewModelsTests",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsTesting", "StorefrontDomain", "StorefrontLoopbackServer",
        "StorefrontServices", "StorefrontTesting", "StorefrontViewModels",
      ]),
  ]
}

/// Whether warnings are errors, as in CI. The name of the environment variable is specific to this package, so the CI of an app does
/// not set it by accident.
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

/// The targets that a build leaves out, separated by spaces. CI names those that a step does not run.
let omitted = Context.environment["ASYNC_VIEW_MODELS_WITHOUT_TARGETS"]?.split(separator: " ").map(String.init)
package.targets.removeAll { omitted?.contains($0.name) == true }
