// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that users of the toolkit do not download the libraries that this package compares it with. The contracts of the
// storefront run here with view models that are written with Combine. `Repository` has links to the root's sources. It is no link to the
// root, as in `Tests/Tools`: this folder is in the folder of the root's target `Benchmarks`, and a build would follow the cycle forever.

/// A target of the root package.
func linked(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, path: "Repository/\(path)", exclude: exclude)
}

let toolkit: [Target.Dependency] = [
  "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "AsyncViewModelsUI", "ListSnapshots",
]
let testing: [Target.Dependency] = toolkit + ["AsyncViewModelsTesting"]
let storefront: [Target.Dependency] = ["StorefrontDomain", "StorefrontServices", "StorefrontViewModels"]
let combine: [Target.Dependency] = [
  .product(name: "OpenCombine", package: "OpenCombine"),
  .product(name: "OpenCombineDispatch", package: "OpenCombine"),
]

/// The tests of the storefront that are not contracts of the four features with a view model in Combine. `Contracts` is a link to
/// `Tests/StorefrontViewModelsTests`.
let otherTests = [
  "Accounts/PostsCloseContract.swift", "Accounts/ProfileCloseContract.swift",
  "Accounts/WriteAccountContract.swift", "Cancellation", "Cart/CartClosureLimitations.swift",
  "Cart/CartKilledAppTests.swift", "Cart/CartLoadStateTests.swift", "Cart/CartOrderStateTests.swift",
  "Cart/CartRecoveryStateTests.swift", "Cart/CartScreenTests.swift", "Cart/CartSendLimitStateTests.swift",
  "Cart/CartStateTests.swift", "Cart/CartUpdateStateTests.swift", "Cart/CartViewModelTests.swift", "Catalog",
  "Dashboard/DashboardAccountStateTests.swift", "Dashboard/DashboardClosureLimitations.swift",
  "Dashboard/DashboardStateTests.swift", "Dashboard/DashboardViewModelTests.swift", "Features",
  "HostileServices", "Lifetime", "LiveFeed/FeedOverServicesTests.swift",
  "LiveFeed/ProductDetailFeedContract.swift", "LiveFeed/UpdatesInFlightTests.swift", "Mixes", "Navigation",
  "Posts", "ProductDetail", "ProductList/ListClosureLimitations.swift",
  "ProductList/ListOverServicesTests.swift", "ProductList/ProductListStateTests.swift",
  "ProductList/ProductListViewModelTests.swift", "ProductPage", "Profile",
  "Search/SearchClosureLimitations.swift", "Search/SearchStateTests.swift",
  "Search/SearchViewModelTests.swift", "ServiceForms/ContractStage+OtherDrivers.swift",
  "Support/DriverTests.swift",
].map { "Contracts/\($0)" }

/// The parts of the decision matrix that Combine has no counterpart of. `Stages` is a link to `Benchmarks/Matrix`.
let otherProbes = [
  "Probes/Probe+Answers.swift", "Probes/Probe+Craft.swift", "Probes/Probe+Events.swift",
  "Probes/Probe+Parts.swift", "Probes/Probe+Source.swift", "Probes/Probe+SynchronousCallers.swift",
  "Program", "Results/DecisionMatrix+Tables.swift", "Results/DecisionMatrix.swift",
  "Subjects/CarelessCartService.swift", "Subjects/Executors.swift", "Subjects/HeldIsolation.swift",
  "Subjects/OldestSystem.swift", "Subjects/SourceTree.swift", "Subjects/SynchronousAdds.swift",
  "Subjects/TracedStorefront.swift",
].map { "Matrix/Stages/\($0)" }

/// The features without a view model in Combine. `Stages` is a link to `Tests/Tools/Scenarios/Stages`.
let otherComparisons = [
  "CatalogComparison.swift", "DetailComparison.swift", "PostsComparison.swift",
  "ProductPageComparison.swift", "ProfileComparison.swift", "Scenario+ComparedStages.swift",
].map { "Stages/\($0)" }

let package = Package(
  name: "Peers",
  // These versions introduced `Observations`.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    linked("AsyncViewModels", "Sources/AsyncViewModels"),
    linked("AsyncViewModelsGCD", "Sources/AsyncViewModelsGCD", ["AsyncViewModels"]),
    linked("AsyncViewModelsRequests", "Sources/AsyncViewModelsRequests", ["AsyncViewModels"]),
    linked(
      "AsyncViewModelsUI", "Sources/AsyncViewModelsUI",
      ["AsyncViewModels", "AsyncViewModelsRequests", "ListSnapshots"]),
    linked("ListSnapshots", "Sources/ListSnapshots"),
    linked(
      "AsyncViewModelsTesting", "Sources/AsyncViewModelsTesting", toolkit + ["AsyncViewModelsVirtualTime"]),
    linked("AsyncViewModelsVirtualTime", "Sources/AsyncViewModelsVirtualTime"),
    linked(
      "AsyncViewModelsSimulation", "Sources/AsyncViewModelsSimulation",
      ["AsyncViewModelsRuntimeHooks", "AsyncViewModelsVirtualTime"], exclude: ["Runtime/Hooks"]),
    linked("AsyncViewModelsRuntimeHooks", "Sources/AsyncViewModelsSimulation/Runtime/Hooks"),
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
    linked(
      "StorefrontViewModels", "Sources/ViewModels",
      [
        "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "ListSnapshots",
        "StorefrontDomain",
      ]),
    linked(
      "StorefrontLoopbackServer", "Tests/StorefrontLoopbackServer",
      testing + ["StorefrontDomain", "StorefrontServices"]),
    linked(
      "StorefrontTesting", "Tests/StorefrontTesting", testing + ["StorefrontDomain", "StorefrontViewModels"]),
    linked("AsyncViewModelsCommandLine", "Benchmarks/CommandLine"),
    linked("AsyncViewModelsAllocationCounter", "Benchmarks/AllocationCounter"),
    linked(
      "AsyncViewModelsBenchmarkHarness", "Benchmarks/Harness",
      ["AsyncViewModels", "AsyncViewModelsAllocationCounter", "AsyncViewModelsCommandLine"]),

    .target(
      name: "CombineViewModels",
      dependencies: combine + [
        "AsyncViewModels", "AsyncViewModelsRequests", "StorefrontDomain", "StorefrontViewModels",
      ]),
    .executableTarget(
      name: "Peers",
      dependencies: combine + [
        "AsyncViewModels", "AsyncViewModelsBenchmarkHarness", "AsyncViewModelsCommandLine",
        "AsyncViewModelsGCD",
        "AsyncViewModelsTesting", "CombineViewModels", "StorefrontDomain", "StorefrontTesting",
        "StorefrontViewModels", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ], exclude: otherProbes),
    .testTarget(
      name: "CombineContracts",
      dependencies: combine + testing + storefront + [
        "AsyncViewModelsBenchmarkHarness", "CombineViewModels", "Peers", "StorefrontLoopbackServer",
        "StorefrontTesting",
      ],
      path: "Tests/CombineContracts", exclude: otherTests),
    .testTarget(
      name: "CombineComparison",
      dependencies: combine + testing + storefront + [
        "AsyncViewModelsSimulation", "CombineViewModels", "SimulatedQueues", "StorefrontTesting",
      ],
      path: "Tests/CombineComparison", exclude: otherComparisons),
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
