// swift-tools-version: 6.3
import PackageDescription

// Six legacy view models in six styles, and tests that pass before and after each step of `migrate`. Separate, so that the tests can
// link the simulator. The targets use the Swift 5 language mode, as most legacy code does.
let models = ["Favorites", "Basket", "Profile", "Home", "PlaceSearch", "PriceFeed"]

func toolkit(_ name: String) -> Target.Dependency { .product(name: name, package: "AsyncViewModels") }

let package = Package(
  name: "LegacyModels",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncViewModels", path: "../../..")],
  targets: models.map {
    .target(name: $0, dependencies: [toolkit("AsyncViewModels"), toolkit("AsyncViewModelsGCD")])
  } + [
    .testTarget(
      name: "LegacyModelsTests",
      dependencies: models.map { .init(stringLiteral: $0) }
        + [toolkit("AsyncViewModelsSimulation"), toolkit("SimulatedQueues")])
  ],
  swiftLanguageModes: [.v5])
