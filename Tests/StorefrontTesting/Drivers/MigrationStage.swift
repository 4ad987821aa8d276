import AsyncViewModels

/// The three ways in which every feature is written, in the order of the migration.
///
/// A contract is a test suite that is parameterized over the stages, so that each stage must pass the same tests.
package enum MigrationStage: String, CaseIterable, Codable, Sendable {
  /// Serial queues, completion handlers, and one observer that is called on a given queue.
  case closure
  /// The services of the closure stage, with the state published as a stream.
  case stream
  /// An actor, async services, and the state published as a stream.
  case async

  /// Whether a list adds a page without a copy of the items that it has.
  package var updatesInPlace: Bool { self != .closure }
}

extension MigrationStage: CustomStringConvertible {
  package var description: String { rawValue }
}
