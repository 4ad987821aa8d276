import AsyncViewModelsSimulation
import StorefrontTesting

extension Scenario {
  /// One scenario for each feature.
  static let comparedStages: [Scenario] =
    [
      comparing(CartComparison.self, "cart"), comparing(CatalogComparison.self, "catalog"),
      comparing(DashboardComparison.self, "dashboard"), comparing(DetailComparison.self, "detail"),
      comparing(ListComparison.self, "list"), comparing(PostsComparison.self, "posts"),
      comparing(ProductPageComparison.self, "product-page"), comparing(ProfileComparison.self, "profile"),
      comparing(SearchComparison.self, "search"),
    ]

  private static func comparing<Feature: ComparedFeature>(_ feature: Feature.Type, _ name: String) -> Scenario
  {
    Scenario(
      "stages/\(name)",
      "after each step of a script, the three stages have shown, sent and stored the same",
      tasks: 2 * MigrationStage.allCases.count
    ) { world in await feature.compareStages(in: world) }
  }
}
