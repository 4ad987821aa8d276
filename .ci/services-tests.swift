// Appended to a copy of Package.swift that needs the tests of the services, too.
package.targets += [
  .executableTarget(
    name: "StorageCrashes", dependencies: testing + storefront + ["AsyncViewModelsCommandLine"],
    path: "Tests/Tools/StorageCrashes"),
  .testTarget(
    name: "StorefrontServicesTests",
    dependencies: testing + storefront + ["StorageCrashes", "StorefrontLoopbackServer", "StorefrontTesting"],
    path: "Tests/Tools/StorefrontServicesTests"),
]
for target in package.targets { target.swiftSettings = settings }
