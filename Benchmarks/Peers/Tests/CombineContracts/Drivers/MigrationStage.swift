import StorefrontTesting

/// The stages of the migration, and Combine. In this module, this type hides the type of the same name in `StorefrontTesting`, so contracts,
/// probes and benchmarks of the storefront compile here unchanged.
enum MigrationStage: String, Codable, Sendable {
  case closure, stream, async, combine

  /// The stage in `StorefrontTesting`. `nil` for Combine.
  var original: StorefrontTesting.MigrationStage? { .init(rawValue: rawValue) }

  /// `false` in Combine: the value of a subject changes in a copy.
  var updatesInPlace: Bool { original?.updatesInPlace ?? false }
}
