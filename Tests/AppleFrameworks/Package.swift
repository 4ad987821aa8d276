// swift-tools-version: 6.3
import PackageDescription

// The toolkit as an Apple platform compiles it, with stand-ins for Apple's frameworks that run on Linux. `Combine` is OpenCombine.
// `UIKit` and `SwiftUI` are written for these tests, after Apple's documentation.
// `.ci/apple/frameworks` links the sources and the tests of the toolkit into a copy of this package, and runs the tests.
let toolkit: [Target.Dependency] = [
  "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "AsyncViewModelsUI", "ListSnapshots",
]
let package = Package(
  name: "AppleFrameworks",
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    .target(name: "Combine", dependencies: ["OpenCombine"]),
    .target(name: "UIKit"),
    .target(name: "SwiftUI", dependencies: ["Combine"]),
    .target(name: "AsyncViewModels", exclude: ["AsyncViewModels.docc"]),
    .target(
      name: "AsyncViewModelsGCD", dependencies: ["AsyncViewModels"], exclude: ["AsyncViewModelsGCD.docc"]),
    .target(
      name: "AsyncViewModelsRequests", dependencies: ["AsyncViewModels"],
      exclude: ["AsyncViewModelsRequests.docc"]),
    .target(name: "ListSnapshots", exclude: ["ListSnapshots.docc"]),
    .target(
      name: "AsyncViewModelsUI",
      dependencies: [
        "AsyncViewModels", "AsyncViewModelsRequests", "Combine", "ListSnapshots", "SwiftUI", "UIKit",
      ],
      exclude: ["AsyncViewModelsUI.docc"]),
    .target(
      name: "AsyncViewModelsTesting", dependencies: toolkit + ["AsyncViewModelsVirtualTime"],
      exclude: ["AsyncViewModelsTesting.docc"]),
    .target(name: "AsyncViewModelsVirtualTime"),
    .target(name: "ToolkitTestSupport", dependencies: toolkit + ["AsyncViewModelsTesting"]),
    .target(name: "Shop", dependencies: toolkit + ["SwiftUI"]),
    .testTarget(
      name: "AsyncViewModelsUITests",
      dependencies: toolkit + [
        "AsyncViewModelsTesting", "Combine", "Shop", "SwiftUI", "ToolkitTestSupport", "UIKit",
      ]),
  ] + storefront
)

/// The storefront, whose view models the tests of every mix of old and new observe with Combine, too.
var storefront: [Target] {
  guard Context.environment["ASYNC_VIEW_MODELS_WITH_STOREFRONT"] != nil else { return [] }
  return [
    .target(name: "StorefrontDomain", dependencies: ["AsyncViewModels"]),
    .target(name: "StorefrontCurl"),
    .target(
      name: "StorefrontServices",
      dependencies: ["AsyncViewModelsGCD", "AsyncViewModelsRequests", "StorefrontCurl", "StorefrontDomain"],
      exclude: ["Curl"]),
    .target(
      name: "StorefrontViewModels",
      dependencies: ["AsyncViewModelsGCD", "AsyncViewModelsRequests", "ListSnapshots", "StorefrontDomain"]),
    .target(
      name: "StorefrontLoopbackServer",
      dependencies: toolkit + ["AsyncViewModelsTesting", "StorefrontDomain", "StorefrontServices"]),
    .target(
      name: "StorefrontTesting",
      dependencies: toolkit + ["AsyncViewModelsTesting", "StorefrontDomain", "StorefrontViewModels"]),
    .testTarget(
      name: "StorefrontViewModelsTests",
      dependencies: toolkit + [
        "AsyncViewModelsTesting", "Combine", "StorefrontDomain",
        "StorefrontLoopbackServer", "StorefrontServices", "StorefrontTesting", "StorefrontViewModels",
      ]),
  ]
}

/// The same settings as in the root package.
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

// The overlay of Swift Testing for UIKit exists only on Apple platforms, but the compiler looks for it if a file imports both.
let withoutOverlays = SwiftSetting.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])

for target in package.targets { target.swiftSettings = settings + [withoutOverlays] }
// As for Apple's Combine, the compiler adds checks of the isolation to closures that this module calls.
package.targets[0].swiftSettings = [.swiftLanguageMode(.v5)]
