extension MigrationStage: CaseIterable {
  static let allCases = [closure, stream, async, combine]

  /// The name of this stage's variants, and of its column in a table.
  var variant: String { self == .combine ? "Combine" : "\(self) stage" }
}
