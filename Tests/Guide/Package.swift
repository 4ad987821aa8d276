// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "AsyncViewModels", path: "../..")],
  targets: [
    .target(
      name: "Shop",
      dependencies: [
        .product(name: "AsyncViewModels", package: "AsyncViewModels"),
        .product(name: "AsyncViewModelsGCD", package: "AsyncViewModels"),
        .product(name: "AsyncViewModelsUI", package: "AsyncViewModels"),
      ]),
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "Shop",
        .product(name: "AsyncViewModelsUI", package: "AsyncViewModels"),
        .product(name: "AsyncViewModelsTesting", package: "AsyncViewModels"),
        .product(name: "AsyncViewModelsSimulation", package: "AsyncViewModels"),
      ]),
  ],
  swiftLanguageModes: [.v5]
)
