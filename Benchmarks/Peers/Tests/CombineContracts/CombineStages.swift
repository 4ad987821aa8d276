/// The contracts of this package test only Combine. The root package tests the stages.
extension MigrationStage: CaseIterable {
  static let allCases = [combine]
}
