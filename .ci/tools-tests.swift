// Appended to a copy of Package.swift that needs these tests of the tools, too.
package.targets += [
  .testTarget(
    name: "AsyncViewModelsRaceTests", dependencies: testing + ["ToolkitTestSupport"],
    path: "Tests/Tools/AsyncViewModelsRaceTests"),
  .testTarget(
    name: "AsyncViewModelsTestingTests", dependencies: testing,
    path: "Tests/Tools/AsyncViewModelsTestingTests"),
  .testTarget(
    name: "ListSnapshotsTests", dependencies: testing + ["ToolkitTestSupport"],
    path: "Tests/Tools/ListSnapshotsTests"),
  .executableTarget(
    name: "StorageCrashes", dependencies: testing + storefront + ["AsyncViewModelsCommandLine"],
    path: "Tests/Tools/StorageCrashes"),
  .testTarget(
    name: "StorefrontDomainTests", dependencies: testing + ["StorefrontDomain", "StorefrontTesting"],
    path: "Tests/Tools/StorefrontDomainTests"),
  .testTarget(
    name: "StorefrontServicesTests",
    dependencies: testing + storefront + ["StorageCrashes", "StorefrontLoopbackServer", "StorefrontTesting"],
    path: "Tests/Tools/StorefrontServicesTests"),
]
for target in package.targets { target.swiftSettings = settings }
