// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that whoever uses the parts gets none of their peers. The harness is not a library, and should not become
// one for this: the sources are shared with the root's benchmarks through links in `Sources`, and compiled into both programs.
let package = Package(
  name: "Peers",
  // `Observations` came with these.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  dependencies: [
    .package(name: "AsyncViewModels", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .target(name: "PeersAllocationCounter"),
    .executableTarget(
      name: "Peers",
      dependencies: [
        "PeersAllocationCounter",
        .product(name: "Domain", package: "AsyncViewModels"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
  ]
)

/// As in the root package: the shared sources are written for them.
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
